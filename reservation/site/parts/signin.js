// The forms to sign in with a code or a password, and to register.
import { post, setSession } from '../api.js';
import { refusalOf } from '../errors.js';
import { t } from '../texts/account.js';
import { readStored, writeStored } from '../texts.js';
import { html, useRef, useState } from '../vendor/htm-3.1.1.js';
import { CodeForm, useCode } from './code.js';
import { Checkbox, Field, Form, useForm } from './form.js';

/** @import { FormState } from './form.js' */
/** @import { Session } from '../types.js' */
/** @typedef {'code' | 'password'} Way */

const NAME = 'way'; // key in localStorage: how the visitor last signed in
const CODE = 'code'; // key in sessionStorage: the form that waits for a code
const WAYS = /** @type {const} */ (['code', 'password']);
// "Stay signed in" is not ticked in a frame, which is often shown on the tablet of a business.
const TICKED = window === window.top ? 'oui' : '';
const EMPTY = { first_name: '', last_name: '', email: '', phone: '' };
const NAMES = /** @type {(keyof typeof EMPTY)[]} */ (Object.keys(EMPTY));
let typed = EMPTY; // shared, so that a visitor who switches forms need not type again

/**
 * Keeps the input of a form, except the password, until the visitor signs in.
 * @param {Partial<typeof EMPTY>} values
 */
function remember(values) {
  for (const name of NAMES) typed = { ...typed, [name]: values[name] || typed[name] };
}

/**
 * Starts a session. With `kept`, the session stays after the tab is closed.
 * @param {Session} opened
 * @param {boolean} kept
 */
function begin({ token, user }, kept) {
  typed = EMPTY;
  writeStored('sessionStorage', CODE, null);
  setSession({ token, user, ...(kept && { renewed: Date.now() }) });
}

/** @param {{ email: string, password: string, kept?: string }} values */
const login = ({ kept, ...values }) => post('auth/login', { ...values, remember: Boolean(kept) });

/**
 * The forms to sign in with a code or a password. With `named`, the form for a code also asks for
 * the name and the telephone number.
 * @param {{ onDone?: () => void, named?: boolean }} props
 */
export function SignIn({ onDone, named = false }) {
  const usual = WAYS.find((one) => one === readStored('localStorage', NAME));
  const id = useRef(`sign-in${++count}`).current;
  /** @param {Session} opened @param {{ kept?: string }} values */
  const done = (opened, { kept }) => {
    if (kept) writeStored('localStorage', NAME, way);
    begin(opened, Boolean(kept));
    onDone?.();
  };
  const { email } = typed;
  const options = { onDone: done, light: true };
  const password = useForm({ email, password: '', kept: TICKED }, login, options);
  const code = useCode(
    { ...(named ? typed : { ...EMPTY, email }), kept: TICKED },
    ({ kept, ...values }) => post('auth/code/login', { ...values, remember: Boolean(kept) }),
    done,
    CODE,
  );
  const first = code.sent || (named && !usual) ? 'code' : usual;
  const [way, setWay] = useState(/** @type {Way} */ (first ?? 'password'));
  remember(way === 'code' ? code.form.values : password.values);
  /** @param {Way} chosen */
  const turnTo = (chosen) => {
    const [from, to] = chosen === 'code' ? [password, code.form] : [code.form, password];
    const { email, kept } = from.values;
    if (chosen !== way) to.set({ kept, ...(email && { email }) });
    setWay(chosen);
  };
  /** @param {Way} one */
  const tab = (one) => html`
    <button type="button" role="tab" id="${id}-${one}" aria-controls="${id}-panel"
      aria-selected=${way === one} tabindex=${way === one ? 0 : -1}
      onClick=${() => turnTo(one)}>${t(`by_${one}`)}</button>`;
  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  const turn = ({ key, currentTarget }) => {
    if (!['ArrowLeft', 'ArrowRight'].includes(key)) return;
    turnTo(way === 'code' ? 'password' : 'code');
    /** @type {HTMLElement | null} */
    const other = currentTarget.querySelector('[aria-selected=false]');
    other?.focus();
  };
  return html`
    <div class="tabs" role="tablist" aria-label=${t('signIn')} onKeyDown=${turn}>
      ${WAYS.map(tab)}
    </div>
    <div id="${id}-panel" class="stack" role="tabpanel" aria-label=${t('signIn')}>
      ${way === 'password' && html`<${ByPassword} form=${password} />`}
      ${way === 'code' && html`<${ByCode} code=${code} named=${named} />`}
    </div>`;
}

let count = 0; // makes ids unique if a dialog shows this form over a page with the same form

/** @param {{ form: FormState }} props */
function ByPassword({ form }) {
  const forgotten = html`<a href="mot-de-passe">${t('forgotten')}</a>`;
  return html`
    <${Form} form=${form} action=${t('signIn')} aside=${forgotten}>
      <${Field} name="email" type="email" label=${t('email')} autocomplete="username" />
      <${Field} name="password" type="password" label=${t('password')}
        autocomplete="current-password" />
      <${Kept} />
    <//>`;
}

const Kept = () => html`
  <div class="stack tight">
    <${Checkbox} name="kept" label=${t('staySignedIn')} />
    <p class="hint">${t('staySignedInHint')}</p>
  </div>`;

/** @param {{ code: import('./code.js').CodeState, named: boolean }} props */
function ByCode({ code, named }) {
  const { form } = code;
  const unnamed = form.trouble?.error.code === 'name_required' || form.values.last_name;
  return html`
    <${CodeForm} code=${code} action=${t('goOn')} more=${
      !named && unnamed && html`<p>${t('newHere')}</p><${Names} />`
    }>
      ${named && html`<${Names} />`}
      <${Field} name="email" type="email" label=${t('email')} hint=${t('codeComes')}
        autocomplete="email" />
      ${named && html`<${Phone} hint=${t('phoneHint')} />`}
      <${Kept} />
    <//>`;
}

const Names = () => html`
  <div class="two">
    <${Field} name="first_name" label=${t('firstName')} autocomplete="given-name" maxlength="100" />
    <${Field} name="last_name" label=${t('lastName')} autocomplete="family-name" maxlength="100" />
  </div>`;

/** @param {{ hint: string | false }} props */
const Phone = ({ hint }) => html`
  <${Field} name="phone" type="tel" label=${t('phone')} hint=${hint}
    required=${false} autocomplete="tel" maxlength="40" />`;

/** @param {{ onDone: () => void, role: string }} props */
export function Register({ onDone, role }) {
  const initial = { ...typed, password: '' };
  const unanswered = useRef(''); // the address of an account that may exist: an answer was lost
  /** @param {typeof initial} values */
  async function register(values) {
    const signIn = () => login({ ...values, kept: 'oui' });
    const mayExist = unanswered.current === values.email;
    try {
      await post('auth/register', { ...values, role });
    } catch (error) {
      const { code, passing } = refusalOf(error);
      if (passing) unanswered.current = values.email;
      if (code !== 'email_taken' || !mayExist) throw error;
      return signIn().catch((other) => {
        throw refusalOf(other).passing ? other : error;
      });
    }
    unanswered.current = values.email;
    return signIn();
  }
  const form = useForm(initial, register, {
    light: true,
    onDone: (/** @type {Session} */ opened) => {
      begin(opened, true);
      onDone();
    },
  });
  remember(form.values);
  return html`
    <${Form} form=${form} action=${t('register')}>
      <${Names} />
      <${Field} name="email" type="email" label=${t('email')} autocomplete="username" />
      <${Phone} hint=${role !== 'company' && t('phoneHint')} />
      <${Field} name="password" type="password" label=${t('password')} hint=${t('newPasswordHint')}
        autocomplete="new-password" />
    <//>`;
}
