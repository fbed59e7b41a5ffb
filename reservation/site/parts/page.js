// Basic components: page, icons, buttons, notes, announcements and placeholders.
import { notLoaded, signInNeeded } from '../api.js';
import { leaving, place, store, unsaved } from '../router.js';
import { language, setLanguage, t } from '../texts.js';
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';

/** @import { VNode } from '../vendor/htm-3.1.1.js' */

let first = true; // the first page does not move the focus

/** @param {{ name: string }} props */
export const Icon = ({ name }) => html`
  <svg class="icon" aria-hidden="true" focusable="false"><use href="#i-${name}" /></svg>`;

/** @param {{ icon?: string, children?: VNode, [attribute: string]: any }} props */
export const Button = ({ icon, children, ...others }) => html`
  <button type="button" ...${others}>${icon && html`<${Icon} name=${icon} />`}${children}</button>`;

/**
 * A note in a box. `tone` is 'good', 'warn' or 'danger'. `action` is a button.
 * @param {{ tone?: string, icon?: string, action?: VNode | false, children?: VNode | string,
 *   [attribute: string]: any }} props
 */
export const Note = ({ tone = '', icon, action, children, ...others }) => html`
  <div class="note ${tone}" ...${others}>
    ${icon && html`<${Icon} name=${icon} />`}<p>${children}</p>${action}
  </div>`;

/**
 * Shown instead of an empty list. `action` is a button or a link.
 * @param {{ action?: VNode | false, children?: VNode | string, [attribute: string]: any }} props
 */
export const Empty = ({ action, children, ...others }) =>
  html`<div class="empty" ...${others}><p>${children}</p>${action}</div>`;

/**
 * A page with a heading. The heading gets the focus if nothing else has the focus.
 * - `tab` is the window's title, if it is not the heading.
 * - `within` is the name of a business, for the window's title.
 * - `size` is 'narrow' for one form, or 'wide' for columns.
 * @param {{ title: string, tab?: string, within?: string, lead?: string | false,
 *   children?: VNode, size?: string }} props
 */
export function Page({ title, tab = title, within, lead, children, size = '' }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    document.title = [tab, within, t('brand')].filter(Boolean).join(' · ');
  }, [tab, within]);
  useEffect(() => {
    const focused = document.activeElement;
    const nobody = focused === document.body || !focused?.isConnected;
    if (!first && nobody) heading.current?.focus({ preventScroll: true });
    first = false;
  }, []);
  return html`
    <div class="page ${size}">
      <h1 ref=${heading} tabindex="-1">${title}</h1>
      ${lead && html`<p class="lead">${lead}</p>`}
      ${children}
    </div>`;
}

/** Shown if the file of a view could not be loaded. */
export function Broken() {
  const [failed, setFailed] = useState(false);
  useEffect(() => void notLoaded().catch(() => setFailed(true)), []);
  const action = html`<${Button} class="small" onClick=${startAgain}>${t('tryAgain')}<//>`;
  if (!failed) return html`<${Waiting} />`;
  return html`
    <${Page} title=${t('brokenPage')}>
      <${Note} tone="danger" icon="alert" role="alert" action=${action}>${t('offline')}<//>
    <//>`;
}

export function Language() {
  const other = language.use() === 'fr' ? 'en' : 'fr';
  return html`
    <${Button} icon="globe" class="quiet" lang=${other} onClick=${() => setLanguage(other)}>
      ${t('otherLanguage')}
    <//>`;
}

/** Focuses an element after the next draw, because the button that had the focus may be gone. */
export const focusOn = (selector = 'h1') =>
  setTimeout(() => {
    /** @type {HTMLElement | null} */
    const element = document.querySelector(selector);
    element?.focus();
  });

let focused = /** @type {Element | null} */ (null);
let section = /** @type {Element | null | undefined} */ (null); // around `focused`
let here = /** @type {object | false | undefined} */ (false); // the page, if it may scroll
addEventListener('focusin', ({ target }) => {
  focused = target instanceof Element ? target : null;
  section = focused?.closest('section');
  here = focused?.matches(':focus-visible') && place.get();
});
// If the focused element was removed and no other element gets the focus, focuses the heading of
// the open dialog, or else of the element's section, or else of the page. Scrolls to the heading
// for a visitor who uses the keyboard, except on another page, which has its own place.
new MutationObserver(() => {
  if (!focused || focused.isConnected) return;
  focused = null;
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const area = [...document.querySelectorAll('dialog[open]')].at(-1) ?? section;
    const near = area?.isConnected && area.querySelector('h2');
    const heading = near || document.querySelector('h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: place.get() !== here });
  });
}).observe(document.body, { childList: true, subtree: true });

let clicked = /** @type {unknown} */ (null);
/**
 * Ignores the second click of a double click if the first has put something else under the pointer.
 * @param {MouseEvent} event
 */
const ignoreSecond = (event) => {
  const target = event.target instanceof Element && event.target.closest('a, button');
  if (event.detail < 2) clicked = target;
  else if (target !== clicked) {
    event.preventDefault();
    event.stopPropagation();
  }
};
addEventListener('click', ignoreSecond, true);

/** Placeholders while data is loaded. @param {{ lines?: number }} props */
export const Waiting = ({ lines = 3 }) => html`
  <div class="waiting" role="status">
    <span class="unseen">${t('loading')}</span>
    ${Array.from({ length: lines }, () => html`<div class="shape" />`)}
  </div>`;

const SECONDS = 7;
const announcement = store('');
let timer = 0;

/** Shows a text for some seconds. Screen readers announce the text. @param {string} text */
export function say(text) {
  announcement.set(''); // so that a repeated text is announced again
  requestAnimationFrame(() => {
    announcement.set(text);
    clearTimeout(timer);
    timer = setTimeout(() => announcement.set(''), SECONDS * 1000);
  });
}

/**
 * What any page can show: the ARIA live region with the text of `say`, and the dialogs to sign in
 * again and to leave without saving. The page behind the dialog keeps its input.
 */
export function Over() {
  const said = announcement.use();
  const needed = signInNeeded.use() > 0;
  const leave = leaving.use();
  const [parts, setParts] = useState(
    /** @type {Partial<typeof import('./again.js') & typeof import('./dialog.js')>} */ ({}),
  );
  /** @param {object} loaded */
  const add = (loaded) => setParts((before) => ({ ...before, ...loaded }));
  const [tries, setTries] = useState(0);
  const later = () => setTimeout(() => setTries(tries + 1), SECONDS * 1000);
  const stay = () => {
    leaving.set(null);
    say(t('offline'));
  };
  useEffect(() => {
    if (needed) import('./again.js').then(add, later);
    if (leave) import('./dialog.js').catch(notLoaded).then(add, stay);
  }, [needed, Boolean(leave), tries]);
  return html`
    <div class="live" role="status" aria-live="polite">${said && html`<p>${said}</p>`}</div>
    ${needed && parts.Again && html`<${parts.Again} />`}
    ${leave && parts.Leave && html`<${parts.Leave} ...${leave} />`}`;
}

/** Loads the page again without a question about unsaved changes. */
export function startAgain() {
  unsaved.clear();
  location.reload();
}

/** Returns a function that returns whether the visitor has left the page that is shown now. */
export function watchPage() {
  const { visit } = place.get();
  return () => place.get().visit !== visit;
}
