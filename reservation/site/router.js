// Addresses: where the visitor is, and how to go elsewhere. All are relative to <base>, so that
// the site works below any prefix; `here()` and `go()` know addresses without it.
import { useEffect, useState } from './vendor/htm-3.1.1.js';

const BASE = new URL(document.baseURI).pathname;
const visitors = new Set();
let visit = 0;

/** Where we are: {path: 'entreprises/3', query: URLSearchParams, hash, visit}.
 *  `visit` counts the pages shown, so that a changed query alone is the same visit. */
export function here() {
  const { pathname, search, hash } = location;
  return { path: pathname.slice(BASE.length), query: new URLSearchParams(search), hash, visit };
}

/** Show another page; with `replace` the present one is not found by going back. */
export function go(address, { replace = false } = {}) {
  const before = location.pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', new URL(address, document.baseURI));
  const elsewhere = location.pathname !== before;
  announce(elsewhere);
  if (elsewhere) scrollTo(0, 0);
}

/** Change what the query says of the present page: setQuery({jour: '2030-01-01', q: ''}). */
export function setQuery(changes, options = { replace: true }) {
  const query = here().query;
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  go(address(here().path, query), options);
}

/** An address of a path and its parameters; empty ones are left out. */
export function address(path, parameters = {}) {
  const given = [...(parameters.entries?.() ?? Object.entries(parameters))];
  const query = new URLSearchParams(given.filter(([, value]) => value || value === 0));
  return query.size ? `${path}?${query}` : path || '.';
}

/** The present address, to come back to: ?suite= of the page that signs in. */
export const present = () => address(here().path, here().query);

export function useHere() {
  const [place, show] = useState(here);
  useEffect(() => {
    visitors.add(show);
    show(here()); // somebody below may have gone elsewhere already
    return () => visitors.delete(show);
  }, []);
  return place;
}

function announce(elsewhere) {
  if (elsewhere) visit += 1;
  for (const show of visitors) show(here());
}

/** Links within the site change the page without loading it anew. */
function follow(event) {
  const link = event.target.closest?.('a[href]');
  const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || !url.pathname.startsWith(BASE)) return;
  event.preventDefault();
  go(url);
}

let shown = location.pathname;
document.addEventListener('click', follow);
addEventListener('popstate', () => {
  announce(shown !== location.pathname || Boolean(location.hash)); // a link of a message has one
});
visitors.add(() => { shown = location.pathname; });
