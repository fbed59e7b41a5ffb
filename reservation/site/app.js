// The entry point of the site: header, footer, and the view of the current address.
//
// To add a page:
// - Write a view in views/ or gestion/. Its default export draws a <Page>. Its texts are in texts/.
// - Add the path to ROUTES (router.js), and to _ADDRESSES or _OF_A_BUSINESS (resources/site.py).
// - Read data with `useLoad` (parts/load.js), and send data with `useForm` (parts/form.js).
import { keepInput, request, SESSION, session, setSession, signInNeeded } from './api.js';
import { Broken, Button, Icon, Language, Over, say, startAgain, Waiting } from './parts/page.js';
import { address, BASE, discard, go, pageOf, place, present } from './router.js';
import { language, OWN, t } from './texts.js';
import { html, render, useEffect, useState } from './vendor/htm-3.1.1.js';

/** @import { Ressource, View } from './types.js' */

const missing = () => import('./views/missing.js');

/** Loads and draws the view of the current address. */
function CurrentView() {
  const { route, id, query, visit } = place.use();
  const load = route?.load ?? missing;
  const signedIn = session.use();
  // While a dialog asks the visitor to sign in again, the page stays, so that no input is lost.
  const asked = signInNeeded.use();
  const mustSignIn = Boolean(route?.account) && !signedIn && !asked;
  const [loaded, setLoaded] = useState(
    /** @type {{ load?: typeof load, view?: View['default'] }} */ ({}),
  );
  useEffect(() => {
    let current = true;
    /** @param {View['default']} [view] */
    const show = (view) => current && setLoaded({ load, view });
    if (mustSignIn) go(address('connexion', { suite: present() }), { replace: true });
    else
      Promise.all([load(), route?.account && loadOwnersSheet()]).then(
        ([view]) => show(view.default),
        () => show(),
      );
    return () => {
      current = false;
    };
  }, [load, mustSignIn]);
  if (loaded.load !== load || mustSignIn) return html`<${Waiting} />`;
  if (!loaded.view) return html`<${Broken} />`;
  return html`<${loaded.view} key=${visit} id=${id} query=${query} />`;
}

/** Loads manage.css, for the owner's pages and all other pages that need an account. */
async function loadOwnersSheet() {
  const { loadOnce } = await import('./parts/head.js');
  await loadOnce(new URL('./manage.css', import.meta.url));
}

const DAY = 86_400_000;

let renewing = ''; // the token that is being renewed

/** Renews the 30-day token of "Stay signed in" once a day. */
async function renew() {
  const opened = session.get();
  if (!opened?.renewed || Date.now() - opened.renewed < DAY || renewing === opened.token) return;
  renewing = opened.token;
  try {
    const { token } = await request('POST', 'auth/refresh', { quiet: true });
    const now = session.get();
    if (now?.token === opened.token) setSession({ ...now, token, renewed: Date.now() });
  } catch {} // retried at the next `visibilitychange`
  renewing = '';
}

/** Signs in or out when another tab signs in or out. @param {StorageEvent} event */
function followTabs({ key, newValue, storageArea }) {
  if (storageArea !== localStorage || (key !== null && key !== OWN + SESSION)) return;
  const before = session.get();
  const opened = JSON.parse(newValue ?? 'null');
  if (!opened && !before?.renewed) return;
  if (before && opened && before.user.id !== opened.user.id) return startAgain();
  if (!opened) keepInput();
  session.set(opened);
}

addEventListener('storage', followTabs);
document.addEventListener('visibilitychange', renew);
renew();

const signOut = () =>
  discard(() => {
    setSession(null);
    go('.');
    say(t('signedOut'));
  });

function Header() {
  const { path, query } = place.use();
  const user = session.use()?.user;
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [query]); // also after a link to the page that is open
  // The calendars that a customer runs for other people's businesses.
  const [own, setOwn] = useState(/** @type {Ressource[]} */ ([]));
  const customer = user?.role === 'student' ? user.id : 0;
  useEffect(() => {
    const show = (/** @type {Ressource[]} */ found) =>
      session.get()?.user.id === customer && setOwn(found);
    setOwn([]);
    if (customer) request('GET', 'api/compte/ressources', { quiet: 'always' }).then(show, () => {});
  }, [customer]);
  const agenda = own.length > 1 ? 'gestion' : `gestion/${own[0]?.entrepriseId}/agenda`;
  const forVisitors = ['connexion', 'inscription', 'mot-de-passe'].includes(path);
  const suite = forVisitors ? query.get('suite') : path && present();
  const signIn = address('connexion', { suite });
  /** @param {string} to @param {string} label */
  const link = (to, label) =>
    html`<a href=${to} aria-current=${path === to && 'page'}>${label}</a>`;
  return html`
    <header class="top">
      <a class="brand" href="."><${Icon} name="calendar" /><span>${t('brand')}</span></a>
      <${Button} icon=${open ? 'close' : 'menu'} class="round unfold" aria-expanded=${open}
        aria-controls="menu" onClick=${() => setOpen(!open)}>
        <span class="unseen">${t('menu')}</span>
      <//>
      <nav id="menu" class=${open ? 'open' : ''} aria-label=${t('mainNavigation')}>
        ${own.length > 0 && link(agenda, t('navCalendar'))}
        ${user && link('reservations', t('navBookings'))}
        ${user && user.role !== 'student' && link('gestion', t('navManage'))}
        ${user?.role === 'admin' && link('admin', t('navAdmin'))}
        ${user && link('compte', t('navAccount'))}
        <${Language} />
        ${user && html`<${Button} class="quiet" onClick=${signOut}>${t('signOut')}<//>`}
        ${!user && link('inscription', t('register'))}
        ${!user && html`<a class="button" href=${signIn}>${t('signIn')}</a>`}
      </nav>
    </header>`;
}

/** Whether the operator provides a legal notice and a privacy page. */
const HAS_PAGES = 'pages' in document.documentElement.dataset;

function Footer() {
  const user = session.use()?.user;
  const offer = user ? 'gestion' : address('inscription', { suite: 'gestion' });
  return html`
    <footer class="bottom">
      <p>${t('footer')}</p>
      <nav>
        ${(!user || user.role === 'student') && html`<a href=${offer}>${t('navOffer')}</a>`}
        <a href="nous-ecrire">${t('navContact')}</a>
        ${HAS_PAGES && html`<a href="mentions-legales">${t('navLegal')}</a>`}
        ${HAS_PAGES && html`<a href="confidentialite">${t('navPrivacy')}</a>`}
      </nav>
    </footer>`;
}

function Site() {
  const { route, path } = place.use();
  const lang = language.use();
  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);
  const broad = path.startsWith('gestion/') && 'broad';
  const view = html`<main id="content" tabindex="-1" class=${broad}><${CurrentView} /></main>`;
  if (route?.framed) return html`${view}<${Over} />`;
  /** @param {Event} event */
  const skip = (event) => {
    event.preventDefault();
    document.getElementById('content')?.focus();
  };
  return html`
    <a class="skip" href="#content" onClick=${skip}>${t('skip')}</a>
    <${Header} />
    ${view}
    <${Footer} />
    <${Over} />`;
}

/** Opens links within the site without a reload. @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!link?.href || event.button !== 0 || modified || event.defaultPrevented) return;
  const url = new URL(link.href);
  const leaves = url.origin !== location.origin || !url.pathname.startsWith(BASE);
  if (leaves || link.target || link.hasAttribute('download')) return;
  if (!pageOf(url.pathname).route) return; // perhaps a short address, which only the server knows
  event.preventDefault();
  go(url);
}

document.addEventListener('click', follow);

function keepOfflinePage() {
  const url = new URL('device/worker.js', import.meta.url);
  navigator.serviceWorker?.register(url, { scope: BASE }).catch(() => {}); // fails in private mode
}

addEventListener('load', () => setTimeout(keepOfflinePage, 3000));

const root = document.getElementById('site');
if (root) {
  root.textContent = '';
  render(html`<${Site} />`, root);
}
