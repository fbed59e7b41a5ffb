// The start, the frame around every view, and the table of views.
//
// A view is a file in views/ whose default export is a Preact component. It gets {id, query} from
// the address and draws a <Page title=…> (parts/page.js) with what it has to show. To add one:
// write the file, add a row to VIEWS below, and its path to PAGES in resources/site.py. It reads
// by `useLoad` and api.js, sends by `useForm` (parts/form.js), says what came of it by `say`,
// goes elsewhere by plain links or `go` (router.js), and takes every text from
// `t` (texts.js; `add` brings those of a group of views).
import { html, render, useEffect, useState } from './vendor/htm-3.1.1.js';
import { setSession, useAsked, useSession } from './api.js';
import { Icon, Live, Missing, say, Waiting } from './parts/page.js';
import { address, go, present, useHere } from './router.js';
import { setLanguage, t, useLanguage } from './texts.js';

// The path, the file of its view, and who may see it: 'anybody', or 'account' for who is signed in.
const EMBEDDED = /^integrer\/(\d+)$/; // the one page that is shown inside of others, without a frame
const VIEWS = [
  [/^$/, () => import('./views/search.js'), 'anybody'],
  [/^entreprises\/(\d+)$/, () => import('./views/business.js'), 'anybody'],
  [/^entreprises\/(\d+)\/reserver$/, () => import('./views/booking.js'), 'anybody'],
  [/^connexion$/, () => import('./views/signin.js'), 'anybody'],
  [/^inscription$/, () => import('./views/register.js'), 'anybody'],
  [/^mot-de-passe$/, () => import('./views/password.js'), 'anybody'],
  [/^reservations$/, () => import('./views/visits.js'), 'account'],
  [/^reservations\/(\d+)$/, () => import('./views/visit.js'), 'account'],
  [/^compte$/, () => import('./views/account.js'), 'account'],
  [/^nous-ecrire$/, () => import('./views/contact.js'), 'anybody'],
  [/^gestion$/, () => import('./views/gestion/choose.js'), 'account'],
  [/^gestion\/(\d+)(?:\/jour)?$/, () => import('./views/gestion/day.js'), 'account'],
  [/^gestion\/(\d+)\/semaine$/, () => import('./views/gestion/week.js'), 'account'],
  [/^gestion\/(\d+)\/prestations$/, () => import('./views/gestion/services.js'), 'account'],
  [/^gestion\/(\d+)\/horaires$/, () => import('./views/gestion/hours.js'), 'account'],
  [/^gestion\/(\d+)\/fermetures$/, () => import('./views/gestion/closures.js'), 'account'],
  [/^gestion\/(\d+)\/regles$/, () => import('./views/gestion/rules.js'), 'account'],
  [/^gestion\/(\d+)\/messages$/, () => import('./views/gestion/messages.js'), 'account'],
  [/^gestion\/(\d+)\/chiffres$/, () => import('./views/gestion/figures.js'), 'account'],
  [/^gestion\/(\d+)\/partager$/, () => import('./views/gestion/share.js'), 'account'],
  [EMBEDDED, () => import('./views/embedded.js'), 'anybody'],
];

/** The view of the present address, loaded when it is first needed. */
function View({ place }) {
  const [loaded, show] = useState({});
  const signedIn = useSession();
  const [pattern, load, who] = VIEWS.find(([pattern]) => pattern.test(place.path)) ?? [];
  const turnedAway = who === 'account' && !signedIn;
  useEffect(() => {
    if (turnedAway) go(address('connexion', { suite: present() }), { replace: true });
    else load?.().then((view) => show({ load, view: view.default }), () => show({ load, failed: true }));
  }, [load, turnedAway]);
  if (!pattern) return html`<${Missing} />`;
  if (loaded.load !== load || turnedAway) return html`<${Waiting} />`;
  if (loaded.failed) return html`<${Missing} error=${{ status: 0, passing: true }} again=${() => location.reload()} />`;
  return html`<${loaded.view} key=${place.visit} id=${pattern.exec(place.path)[1]} query=${place.query} />`;
}

function signOut() {
  setSession(null);
  go('.');
  say(t('signedOut'));
}

function Header({ path }) {
  const [open, unfold] = useState(false);
  const signedIn = useSession();
  useEffect(() => unfold(false), [path]);
  const link = (to, label) => html`<a href=${to} aria-current=${path === to && 'page'}>${label}</a>`;
  return html`
    <header class="top">
      <a class="brand" href="."><${Icon} name="calendar" /><span>${t('brand')}</span></a>
      <button type="button" class="round unfold" aria-expanded=${open} aria-controls="menu" onClick=${() => unfold(!open)}>
        <${Icon} name=${open ? 'close' : 'menu'} /><span class="unseen">${t('menu')}</span>
      </button>
      <nav id="menu" class=${open ? 'open' : ''} aria-label=${t('mainNavigation')}>
        ${signedIn && link('reservations', t('navVisits'))}
        ${signedIn && signedIn.user.role !== 'student' && link('gestion', t('navManage'))}
        ${signedIn && link('compte', t('navAccount'))}
        <${LanguageSwitch} />
        ${signedIn
          ? html`<button type="button" class="quiet" onClick=${signOut}>${t('signOut')}</button>`
          : html`${link('inscription', t('register'))}<a class="button" href=${path === 'connexion' ? 'connexion' : address('connexion', { suite: path && present() })}>${t('signIn')}</a>`}
      </nav>
    </header>`;
}

const LanguageSwitch = () => {
  const other = useLanguage() === 'fr' ? 'en' : 'fr';
  return html`
    <button type="button" class="quiet" lang=${other} onClick=${() => setLanguage(other)}>
      <${Icon} name="globe" />${t('otherLanguage')}
    </button>`;
};

function Footer() {
  const signedIn = useSession();
  return html`
    <footer class="bottom">
      <p>${t('footer')}</p>
      <nav>
        ${!signedIn && html`<a href=${address('inscription', { suite: 'gestion' })}>${t('navOffer')}</a>`}
        <a href="nous-ecrire">${t('navContact')}</a>
      </nav>
    </footer>`;
}

/** Over whatever is shown when a token has ended: the page beneath keeps what was typed. */
function SignInAgain() {
  const asked = useAsked();
  const [window, show] = useState(null);
  useEffect(() => {
    if (asked) import('./parts/again.js').then(show);
  }, [asked]);
  return asked && window && html`<${window.Again} />`;
}

function Site() {
  const place = useHere();
  const language = useLanguage();
  useEffect(() => { document.documentElement.lang = language; }, [language]);
  const skip = (event) => {
    event.preventDefault();
    document.getElementById('content').focus();
  };
  if (EMBEDDED.test(place.path)) {
    return html`<main id="content" tabindex="-1"><${View} place=${place} /></main><${Live} /><${SignInAgain} />`;
  }
  return html`
    <a class="skip" href="#content" onClick=${skip}>${t('skip')}</a>
    <${Header} path=${place.path} />
    <main id="content" tabindex="-1"><${View} place=${place} /></main>
    <${Footer} />
    <${Live} />
    <${SignInAgain} />`;
}

const root = document.getElementById('site');
root.textContent = '';
render(html`<${Site} />`, root);
