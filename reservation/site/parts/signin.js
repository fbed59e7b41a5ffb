// The two ways to have an account, as forms that any view can show.
import { html, useState } from '../vendor/htm-3.1.1.js';
import { post, setSession } from '../api.js';
import { add, t } from '../texts.js';
import { Field, Form, useForm } from './form.js';

add({
  email: ['Adresse e-mail', 'E-mail address'],
  password: ['Mot de passe', 'Password'],
  newPasswordHint: ['Au moins 8 caractères.', 'At least 8 characters.'],
  firstName: ['Prénom', 'First name'],
  lastName: ['Nom', 'Last name'],
  phone: ['Téléphone', 'Phone'],
  phoneHint: ['Pour que l’établissement puisse vous joindre.', 'So that the business can reach you.'],
  forgotten: ['Mot de passe oublié ?', 'Forgot your password?'],
  haveAccount: ['J’ai un compte', 'I have an account'],
  newHere: ['Je suis nouveau', 'I am new'],
  registered: ['Bienvenue ! Votre compte est prêt.', 'Welcome! Your account is ready.'],
});

const login = (values) => post('auth/login', values);

/** `onDone` is called once the session has begun. */
export function SignIn({ onDone, email = '' }) {
  const form = useForm({ email, password: '' }, login, {
    onDone: (opened) => { setSession(opened); onDone(); },
  });
  const forgotten = html`<a href="mot-de-passe">${t('forgotten')}</a>`;
  return html`
    <${Form} of=${form} action=${t('signIn')} aside=${forgotten}>
      <${Field} of=${form} name="email" type="email" label=${t('email')} autocomplete="username" />
      <${Field} of=${form} name="password" type="password" label=${t('password')} autocomplete="current-password" />
    <//>`;
}

export function Register({ onDone, role = 'student', action }) {
  const empty = { first_name: '', last_name: '', email: '', password: '', phone: '' };
  async function register(values) {
    await post('auth/register', { ...values, role });
    return login({ email: values.email, password: values.password });
  }
  const form = useForm(empty, register, {
    onDone: (opened) => { setSession(opened); onDone(); },
  });
  return html`
    <${Form} of=${form} action=${action ?? t('register')}>
      <div class="two">
        <${Field} of=${form} name="first_name" label=${t('firstName')} autocomplete="given-name" maxlength="100" />
        <${Field} of=${form} name="last_name" label=${t('lastName')} autocomplete="family-name" maxlength="100" />
      </div>
      <${Field} of=${form} name="email" type="email" label=${t('email')} autocomplete="username" />
      <${Field} of=${form} name="phone" type="tel" label=${t('phone')} hint=${t('phoneHint')} required=${false} autocomplete="tel" maxlength="40" />
      <${Field} of=${form} name="password" type="password" label=${t('password')} hint=${t('newPasswordHint')} autocomplete="new-password" />
    <//>`;
}

/** Both, one at a time: two tabs. */
export function SignInOrRegister({ onDone }) {
  const [known, choose] = useState(true);
  const tab = (is, label) => html`
    <button type="button" role="tab" id="tab-${is}" aria-selected=${known === is} aria-controls="sign-in-panel"
      tabindex=${known === is ? 0 : -1} onClick=${() => choose(is)}>${label}</button>`;
  const turn = (event) => {
    if (!['ArrowLeft', 'ArrowRight'].includes(event.key)) return;
    choose(!known);
    event.currentTarget.querySelector('[aria-selected=false]').focus();
  };
  return html`
    <div class="tabs" role="tablist" onKeyDown=${turn}>${tab(true, t('haveAccount'))}${tab(false, t('newHere'))}</div>
    <div id="sign-in-panel" role="tabpanel" aria-labelledby="tab-${known}">
      ${known ? html`<${SignIn} onDone=${onDone} />` : html`<${Register} onDone=${onDone} />`}
    </div>`;
}
