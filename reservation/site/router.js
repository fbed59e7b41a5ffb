// The pages of the site and the navigation. `store` creates values that components share. Addresses
// are relative to <base>, so the site works below any path prefix.
import { useEffect, useState } from './vendor/htm-3.1.1.js';

/** @import { Mark } from './sending.js' */
/** @import { View } from './types.js' */

/** Creates a shared value. @template T @param {T} initial */
export function store(initial) {
  let value = initial;
  /** @type {Set<(value: T) => void>} */
  const followers = new Set();
  return {
    get: () => value,
    /** Sets the value, and redraws the components that called `use`. @param {T} next */
    set(next) {
      value = next;
      for (const follow of followers) follow(value);
    },
    use() {
      const [shown, setShown] = useState(value);
      useEffect(() => {
        followers.add(setShown);
        setShown(value); // the value may have changed since the component was drawn
        return () => void followers.delete(setShown);
      }, []);
      return shown;
    },
  };
}

/**
 * A page. `account` requires a signed-in visitor. `framed` marks the page that other sites show in
 * an <iframe>. `label` and `icon` are for the owner's menu.
 * @typedef {{ path: string, pattern: RegExp, load: () => Promise<View>, account?: boolean,
 *   framed?: boolean, label?: ManageLabel, icon?: string }} Route
 */
/** @typedef {Parameters<typeof import('./texts/calendar.js').t>[0]} ManageLabel */

/** @type {(path: string, load: Route['load'], others?: Partial<Route>) => Route} */
const open = (path, load, others) => {
  const pattern = new RegExp(`^${path.replace('{id}', '(\\d+)')}$`);
  return { path, pattern, load, ...others };
};
/** @type {(path: string, load: Route['load']) => Route} */
const account = (path, load) => open(path, load, { account: true });
/** @type {(page: string, label: ManageLabel, icon: string, load: Route['load']) => Route} */
const manage = (page, label, icon, load) =>
  open(`gestion/{id}/${page}`, load, { account: true, label, icon });

/**
 * All pages, each on its own line, because resources/site_files.py reads this table. `PAGES` in
 * resources/site.py must have the same paths.
 */
export const ROUTES = [
  open('', () => import('./views/search.js')),
  open('entreprises/{id}', () => import('./views/business.js')),
  open('entreprises/{id}/reserver', () => import('./views/book.js')),
  open('integrer/{id}', () => import('./views/embedded.js'), { framed: true }),
  open('connexion', () => import('./views/account/signin.js')),
  open('inscription', () => import('./views/account/register.js')),
  open('mot-de-passe', () => import('./views/account/password.js')),
  open('rendez-vous', () => import('./views/link.js')),
  open('nous-ecrire', () => import('./views/contact.js')),
  open('mentions-legales', () => import('./views/legal.js')),
  open('confidentialite', () => import('./views/legal.js')),
  account('reservations', () => import('./views/bookings.js')),
  account('reservations/{id}', () => import('./views/booking.js')),
  account('compte/donnees', () => import('./views/account/export.js')),
  account('compte', () => import('./views/account/account.js')),
  account('admin', () => import('./admin/businesses.js')),
  account('admin/comptes', () => import('./admin/accounts.js')),
  account('admin/messages', () => import('./admin/messages.js')),
  account('admin/installation', () => import('./admin/installation.js')),
  account('gestion', () => import('./gestion/choose.js')),
  account('gestion/{id}', () => import('./gestion/calendar/agenda.js')),
  account('gestion/{id}/jour', () => import('./gestion/calendar/agenda.js')),
  account('gestion/{id}/semaine', () => import('./gestion/calendar/agenda.js')),
  manage('agenda', 'calendar', 'calendar', () => import('./gestion/calendar/agenda.js')),
  manage('clients', 'pageCustomers', 'user', () => import('./gestion/customers/customers.js')),
  manage('prestations', 'services', 'list', () => import('./gestion/settings/services.js')),
  manage('horaires', 'pageHours', 'hours', () => import('./gestion/settings/hours.js')),
  manage('fermetures', 'pageClosures', 'closed', () => import('./gestion/settings/closures.js')),
  manage('equipe', 'pageTeam', 'team', () => import('./gestion/team/team.js')),
  manage('etablissement', 'pageAbout', 'pin', () => import('./gestion/settings/about.js')),
  manage('regles', 'pageRules', 'rules', () => import('./gestion/settings/rules.js')),
  manage('messages', 'pageMessages', 'mail', () => import('./gestion/messages.js')),
  manage('chiffres', 'pageFigures', 'chart', () => import('./gestion/figures/figures.js')),
  manage('partager', 'pageShare', 'share', () => import('./gestion/share.js')),
];

export const BASE = new URL(document.baseURI).pathname;
/** @param {string} pathname */
const below = (pathname) => pathname.slice(BASE.length);
/** The page as loaded. On a business's page, `id` is set, and `path` may be a short address. */
const named = { id: document.documentElement.dataset.entreprise, path: below(location.pathname) };
let visit = 0;

/** Returns the page at a path. An unknown path has no `route`. @param {string} pathname */
export function pageOf(pathname) {
  const path = below(pathname);
  const full = named.id && path === named.path ? `entreprises/${named.id}` : path;
  const route = ROUTES.find(({ pattern }) => pattern.test(full));
  return { path, route, id: route?.pattern.exec(full)?.[1] ?? '' };
}

/** Returns the current page. `visit` increases with each new page, but not with a new query. */
const read = () => ({
  ...pageOf(location.pathname),
  query: new URLSearchParams(location.search),
  visit,
});

export const place = store(read());

/** One entry for each form with unsaved changes. */
export const unsaved = /** @type {Set<Mark>} */ (new Set());
/** Set while a dialog (parts/dialog.js) asks before `action`, which discards the changes `lost`. */
export const leaving = store(/** @type {{ action: () => void, lost: Mark[] } | null} */ (null));

/**
 * Runs `action`. If there are unsaved changes besides those in `kept`, asks the visitor first.
 * @param {() => void} action
 * @param {object[]} [kept]
 */
export function discard(action, kept = []) {
  const lost = [...unsaved].filter((mark) => !kept.includes(mark));
  if (lost.length) leaving.set({ action, lost });
  else action();
}

/** The number of the current entry of the history. Each entry keeps its own number. */
let entry = history.state?.entry ?? 0;
const keepEntry = () => history.replaceState({ ...history.state, entry }, '');
keepEntry();

/** @param {boolean} elsewhere whether another page is shown */
function announce(elsewhere) {
  if (elsewhere) visit += 1;
  place.set(read());
}

/**
 * Shows a page. Adds no entry to the history with `replace`, nor if the address stays the same.
 * @param {string | URL} to
 */
export function go(to, { replace = false } = {}) {
  const url = new URL(to, document.baseURI);
  const elsewhere = url.pathname !== location.pathname;
  const added = !replace && url.href !== location.href;
  const show = () => {
    if (added) history.replaceState({ ...history.state, top: scrollY }, ''); // for popstate
    if (added) entry += 1;
    history[added ? 'pushState' : 'replaceState']({ entry }, '', url);
    announce(elsewhere);
    if (elsewhere) scrollTo(0, 0);
  };
  discard(show, elsewhere ? [] : [...unsaved].filter(({ stays }) => stays));
}

/**
 * Changes the query of the current page. An empty value removes a parameter. Without `replace`,
 * the Back button undoes the change.
 * @param {Record<string, string | number>} changes
 */
export function setQuery(changes, { replace = true } = {}) {
  const { path, query } = place.get();
  go(address(path, { ...Object.fromEntries(query), ...changes }), { replace });
}

/**
 * Returns `path` with a query of `parameters`. Leaves out false, null and empty values.
 * @param {string} path
 * @param {Record<string, string | number | boolean | null | undefined>} [parameters]
 */
export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value || value === 0) query.set(name, String(value));
  }
  return String(query) ? `${path}?${query}` : path || '.';
}

/** Returns the path and the query of the current page, relative to <base>. */
export const present = () => address(place.get().path, Object.fromEntries(place.get().query));

addEventListener('beforeunload', (event) => unsaved.size && event.preventDefault());
addEventListener('popstate', (event) => {
  const steps = (event.state?.entry ?? entry + 1) - entry; // a new fragment has no state
  if (!steps) return; // caused by the `history.go` below
  if (unsaved.size) {
    event.stopImmediatePropagation();
    history.go(-steps); // undoes the Back or Forward button
    return discard(() => history.go(steps));
  }
  entry += steps;
  keepEntry();
  const known = `${BASE}${place.get().path}` === location.pathname;
  announce(!known || Boolean(location.hash)); // a fragment is a new token, so redraw the page
});
