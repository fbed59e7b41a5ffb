// The forms to sign in and to register, for any view.
import { post, setSession } from '../api.js';
import { t } from '../texts/account.js';
import { html, useState } from '../vendor/htm-3.1.1.js';
import { Field, Form, useForm } from './form.js';

/** @import { Session } from '../types.js' */

/** @param {{ email: string, password: string }} values */
const login = (values) => post('auth/login', values);

/** Starts the session before `onDone` is called. @param {() => void} onDone */
const starting = (onDone) => (/** @type {Session} */ opened) => {
  setSession(opened);
  onDone();
};

/** @param {{ onDone: () => void }} props */
export function SignIn({ onDone }) {
  const form = useForm({ email: '', password: '' }, login, { onDone: starting(onDone) });
  const forgotten = html`<a href="mot-de-passe">${t('forgotten')}</a>`;
  return html`
    <${Form} form=${form} action=${t('signIn')} aside=${forgotten}>
      <${Field} form=${form} name="email" type="email" label=${t('email')}
        autocomplete="username" />
      <${Field} form=${form} name="password" type="password" label=${t('password')}
        autocomplete="current-password" />
    <//>`;
}

/** @param {{ onDone: () => void, role?: string }} props */
export function Register({ onDone, role = 'student' }) {
  const empty = { first_name: '', last_name: '', email: '', password: '', phone: '' };
  /** @param {typeof empty} values */
  async function register(values) {
    await post('auth/register', { ...values, role });
    return login(values);
  }
  const form = useForm(empty, register, { onDone: starting(onDone) });
  return html`
    <${Form} form=${form} action=${t('register')}>
      <div class="two">
        <${Field} form=${form} name="first_name" label=${t('firstName')}
          autocomplete="given-name" maxlength="100" />
        <${Field} form=${form} name="last_name" label=${t('lastName')}
          autocomplete="family-name" maxlength="100" />
      </div>
      <${Field} form=${form} name="email" type="email" label=${t('email')}
        autocomplete="username" />
      <${Field} form=${form} name="phone" type="tel" label=${t('phone')} hint=${t('phoneHint')}
        required=${false} autocomplete="tel" maxlength="40" />
      <${Field} form=${form} name="password" type="password" label=${t('password')}
        hint=${t('newPasswordHint')} autocomplete="new-password" />
    <//>`;
}

/** Both forms, as two tabs. @param {{ onDone?: () => void }} props */
export function SignInOrRegister({ onDone = () => {} }) {
  const [registered, setRegistered] = useState(true);
  /** @param {boolean} value @param {string} label */
  const tab = (value, label) => html`
    <button type="button" role="tab" id="tab-${value}" aria-controls="sign-in-panel"
      aria-selected=${registered === value} tabindex=${registered === value ? 0 : -1}
      onClick=${() => setRegistered(value)}>${label}</button>`;
  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  const turn = ({ key, currentTarget }) => {
    if (!['ArrowLeft', 'ArrowRight'].includes(key)) return;
    setRegistered(!registered);
    /** @type {HTMLElement | null} */
    const other = currentTarget.querySelector('[aria-selected=false]');
    other?.focus();
  };
  return html`
    <div class="tabs" role="tablist" onKeyDown=${turn}>
      ${tab(true, t('haveAccount'))}${tab(false, t('newHere'))}
    </div>
    <div id="sign-in-panel" role="tabpanel" aria-labelledby="tab-${registered}">
      <${registered ? SignIn : Register} onDone=${onDone} />
    </div>`;
}
