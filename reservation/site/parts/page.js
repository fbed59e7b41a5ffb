// What every view is made of: its heading, icons, waiting, trouble, and reading from the API.
import { html, useCallback, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';
import { t } from '../texts.js';

const SPRITE = new URL('../icons.svg', import.meta.url).pathname;
let first = true; // the page that the browser itself has just opened keeps its focus

export const Icon = ({ name }) => html`
  <svg class="icon" aria-hidden="true" focusable="false"><use href=${`${SPRITE}#${name}`} /></svg>`;

/** The heading of a view. It names the window, of a business where it is `within` one, and takes
 *  the focus when the view is new. `size` is narrow (one form), wide (columns) or left out; a
 *  `quiet` heading is not seen. */
export function Page({ title, within, lead, children, size = '', quiet }) {
  const heading = useRef();
  useEffect(() => {
    document.title = [title, within, t('brand')].filter(Boolean).join(' · ');
  }, [title, within]);
  useEffect(() => {
    const nobody = document.activeElement === document.body || !document.activeElement?.isConnected;
    if (!first && nobody) heading.current.focus({ preventScroll: true });
    first = false;
  }, []);
  return html`
    <div class="page ${size}">
      <h1 ref=${heading} tabindex="-1" class=${quiet ? 'unseen' : ''}>${title}</h1>
      ${lead && html`<p class="lead">${lead}</p>`}
      ${children}
    </div>`;
}

/** The place of what is being read: grey shapes, and a word for those who do not see them. */
export const Waiting = ({ lines = 3 }) => html`
  <div class="waiting" role="status">
    <span class="unseen">${t('loading')}</span>
    ${Array.from({ length: lines }, () => html`<div class="shape" />`)}
  </div>`;

/** What went wrong, in a sentence. */
export function sentence(refusal) {
  if (refusal.status === undefined) throw refusal; // a fault of ours is not the visitor's
  if (refusal.status === 0) return t('offline');
  if (refusal.passing) return t('unavailable');
  if (refusal.status === 404) return t('missingPageHelp');
  if (refusal.status === 403) return t('notPermitted');
  return t('refused', { why: refusal.code });
}

/** A sentence that stands where something failed, with a way to try again if that may help. */
export const Trouble = ({ error, again }) => html`
  <div class="note danger" role="alert">
    <${Icon} name="alert" />
    <p>${sentence(error)}</p>
    ${again && error.passing && html`<button type="button" class="small" onClick=${again}>${t('tryAgain')}</button>`}
  </div>`;

/** Read something, and again when one of `causes` changes:
 *  const salon = useLoad(() => known(`api/entreprises/${id}`), [id]);
 *  gives {value, error, waiting, again, set}. The value before stays while the next is read. */
export function useLoad(read, causes) {
  const [state, show] = useState({ waiting: true });
  const latest = useRef(0);
  const load = useCallback(async () => {
    const turn = ++latest.current;
    const tell = (told) => turn === latest.current && show(told); // an older answer comes too late
    show(({ value }) => ({ value, waiting: true }));
    try {
      tell({ value: await read(), waiting: false });
    } catch (error) {
      tell({ error, waiting: false });
    }
  }, causes);
  useEffect(() => {
    load();
    return () => { latest.current += 1; };
  }, [load]);
  return { ...state, again: load, set: (value) => show({ value, waiting: false }) };
}

/** What was read, or the waiting or the trouble in its place: a function draws the value. A
 *  `whole` view that cannot be read has a heading all the same. */
export function Loaded({ from, lines, whole, children }) {
  if (from.error && whole) return html`<${Missing} error=${from.error} again=${from.again} />`;
  if (from.error) return html`<${Trouble} error=${from.error} again=${from.again} />`;
  if (from.value === undefined) return html`<${Waiting} lines=${lines} />`;
  return children(from.value);
}

/** In place of a view that is not there, or cannot be shown. */
export const Missing = ({ error = { status: 404 }, again }) => html`
  <${Page} title=${t(error.status === 404 ? 'missingPage' : 'brokenPage')}>
    <${Trouble} error=${error} again=${again} />
    <div><a class="button" href=".">${t('backToSearch')}</a></div>
  <//>`;

// One region that screen readers listen to, and that shows what was said for a moment.
const SECONDS = 7;
let show = () => {};
let hide;

/** Say something to everybody: say(t('saved')). */
export function say(text) {
  show({ text: '' }); // the same words again are news too
  requestAnimationFrame(() => show({ text }));
  clearTimeout(hide);
  hide = setTimeout(() => show({ text: '' }), SECONDS * 1000);
}

export function Live() {
  const [said, tell] = useState({ text: '' });
  useEffect(() => { show = tell; }, []);
  return html`<div class="live" role="status" aria-live="polite">${said.text && html`<p>${said.text}</p>`}</div>`;
}
