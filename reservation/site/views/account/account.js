// /compte: the details and the password of who is signed in.
import { get, post, put, session, setSession } from '../../api.js';
import { wrongPassword } from '../../errors.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { Page, say } from '../../parts/page.js';
import { t } from '../../texts/account.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { Compte, Session } from '../../types.js' */

export default function View() {
  const compte = useLoad(() => get('api/compte'), []);
  return html`
    <${Page} title=${t('accountTitle')}>
      <section class="card stack">
        <h2>${t('profile')}</h2>
        <${Loaded} from=${compte}>${(/** @type {Compte} */ value) => html`
          <${Profile} compte=${value} onSaved=${compte.set} />`}<//>
      </section>
      <section class="card stack">
        <h2>${t('changePassword')}</h2>
        <${Password} />
      </section>
    <//>`;
}

/** Changes the session of who is signed in. @param {(opened: Session) => Session} change */
function updateSession(change) {
  const opened = session.get();
  if (opened) setSession(change(opened));
}

/** @param {{ compte: Compte, onSaved: (saved: Compte) => void }} props */
function Profile({ compte, onSaved }) {
  const { id, role, email, ...own } = compte;
  const form = useForm(
    own,
    ({ dateNaissance, ...values }) =>
      put('api/compte', { ...values, dateNaissance: dateNaissance || null }),
    {
      onDone: (/** @type {Compte} */ saved) => {
        onSaved(saved);
        const named = { first_name: saved.prenom, last_name: saved.nom };
        updateSession(({ token, user }) => ({ token, user: { ...user, ...named } }));
        say(t('saved'));
      },
    },
  );
  return html`
    <${Form} form=${form} action=${t('save')}>
      <div class="two">
        <${Field} form=${form} name="prenom" label=${t('firstName')} required=${false}
          autocomplete="given-name" maxlength="100" />
        <${Field} form=${form} name="nom" label=${t('lastName')}
          autocomplete="family-name" maxlength="100" />
      </div>
      <p class="stack tight"><b>${t('email')}</b><span>${email}</span></p>
      <div class="two">
        <${Field} form=${form} name="telephone" type="tel" label=${t('phone')} required=${false}
          autocomplete="tel" maxlength="40" />
        <${Field} form=${form} name="dateNaissance" type="date" label=${t('birthDate')}
          required=${false} autocomplete="bday" />
      </div>
      <div class="two">
        <${Field} form=${form} name="ecole" label=${t('school')} required=${false}
          maxlength="200" />
        <${Field} form=${form} name="langue" label=${t('mailLanguage')} as="select">
          <option value="fr">${t('french')}</option><option value="en">${t('english')}</option>
        <//>
      </div>
    <//>`;
}

function Password() {
  const empty = { current_password: '', new_password: '' };
  const form = useForm(empty, (values) => post('auth/password', values), {
    names: { password: 'new_password' },
    codes: { invalid_credentials: { field: 'current_password', text: wrongPassword() } },
    onDone: ({ token }) => {
      updateSession(({ user }) => ({ token, user }));
      form.set(empty);
      say(t('passwordChanged'));
    },
  });
  const hint = `${t('newPasswordHint')} ${t('otherSessionsEnd')}`;
  return html`
    <${Form} form=${form} action=${t('changePassword')}>
      <input type="email" autocomplete="username" value=${session.get()?.user.email} hidden />
      <${Field} form=${form} name="current_password" type="password"
        label=${t('currentPassword')} autocomplete="current-password" />
      <${Field} form=${form} name="new_password" type="password" label=${t('newPassword')}
        hint=${hint} autocomplete="new-password" />
    <//>`;
}
