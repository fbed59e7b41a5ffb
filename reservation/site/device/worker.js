// The service worker: shows offline.html in place of a page that cannot be loaded.
/** @type {any} TypeScript's DOM types have no ServiceWorkerGlobalScope */
const worker = self;
const PAGE = new URL('offline.html', location.href).href;
const ALL = new URL('../../', location.href).href; // other sites on this host have other addresses

/** @param {any} event */
const install = (event) => {
  event.waitUntil(caches.open(PAGE).then((cache) => cache.add(PAGE)));
  worker.skipWaiting();
};

/** Deletes the caches of earlier versions. @param {any} event */
const activate = (event) =>
  event.waitUntil(
    caches.keys().then((names) => {
      const old = names.filter((name) => name.startsWith(ALL) && name !== PAGE);
      return Promise.all(old.map((name) => caches.delete(name)));
    }),
  );

/** @param {any} event */
const answer = (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)));
};

worker.addEventListener('install', install);
worker.addEventListener('activate', activate);
worker.addEventListener('fetch', answer);
