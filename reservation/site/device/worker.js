// The service worker: shows offline.html in place of a page that cannot be loaded.
/** @type {any} TypeScript's DOM types have no ServiceWorkerGlobalScope */
const worker = self;
const PAGE = new URL('offline.html', location.href).href;

/** @param {any} event */
const install = (event) => {
  event.waitUntil(caches.open(PAGE).then((cache) => cache.add(PAGE)));
  worker.skipWaiting();
};

/** Deletes the caches of earlier versions. @param {any} event */
const activate = (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== PAGE).map((name) => caches.delete(name))),
      ),
  );

/** @param {any} event */
const answer = (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)));
};

worker.addEventListener('install', install);
worker.addEventListener('activate', activate);
worker.addEventListener('fetch', answer);
