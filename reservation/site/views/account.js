// /compte: one's details, and the password.
import { html } from '../vendor/htm-3.1.1.js';
import { get, post, put, session, setSession } from '../api.js';
import { Field, Form, useForm } from '../parts/form.js';
import { Loaded, Page, say, useLoad } from '../parts/page.js';
import { t } from '../texts.js';
import '../parts/signin.js'; // its texts
import '../texts/account.js';

export default function View() {
  const profile = useLoad(() => get('api/compte'), []);
  return html`
    <${Page} title=${t('accountTitle')}>
      <section class="card stack">
        <h2>${t('profile')}</h2>
        <${Loaded} from=${profile}>${(value) => html`<${Profile} of=${value} onSaved=${profile.set} />`}<//>
      </section>
      <section class="card stack">
        <h2>${t('changePassword')}</h2>
        <${Password} />
      </section>
    <//>`;
}

/** PUT takes all that can be changed, and null for a date that is not told. */
function Profile({ of, onSaved }) {
  const { id, role, email, ...own } = of;
  const form = useForm(own, (values) => put('api/compte', { ...values, dateNaissance: values.dateNaissance || null }), {
    onDone: (saved) => {
      onSaved(saved);
      const opened = session();
      setSession({ ...opened, user: { ...opened.user, first_name: saved.prenom, last_name: saved.nom } });
      say(t('saved'));
    },
  });
  return html`
    <${Form} of=${form} action=${t('save')}>
      <div class="two">
        <${Field} of=${form} name="prenom" label=${t('firstName')} required=${false} autocomplete="given-name" maxlength="100" />
        <${Field} of=${form} name="nom" label=${t('lastName')} autocomplete="family-name" maxlength="100" />
      </div>
      <p class="stack tight"><b>${t('email')}</b><span>${email}</span></p>
      <div class="two">
        <${Field} of=${form} name="telephone" type="tel" label=${t('phone')} required=${false} autocomplete="tel" maxlength="40" />
        <${Field} of=${form} name="dateNaissance" type="date" label=${t('birthDate')} required=${false} autocomplete="bday" />
      </div>
      <div class="two">
        <${Field} of=${form} name="ecole" label=${t('school')} required=${false} maxlength="200" />
        <${Field} of=${form} name="langue" label=${t('mailLanguage')} as="select">
          <option value="fr">${t('french')}</option><option value="en">${t('english')}</option>
        <//>
      </div>
    <//>`;
}

function Password() {
  const empty = { current_password: '', new_password: '' };
  const form = useForm(empty, (values) => post('auth/password', values), {
    names: { password: 'new_password' },
    codes: { 'Invalid credentials': ['current_password', 'wrongPassword'] },
    onDone: ({ token }) => {
      setSession({ ...session(), token });
      form.set(empty);
      say(t('passwordChanged'));
    },
  });
  return html`
    <${Form} of=${form} action=${t('changePassword')}>
      <input type="email" autocomplete="username" value=${session()?.user.email} hidden />
      <${Field} of=${form} name="current_password" type="password" label=${t('currentPassword')} autocomplete="current-password" />
      <${Field} of=${form} name="new_password" type="password" label=${t('newPassword')}
        hint=${`${t('newPasswordHint')} ${t('otherSessionsEnd')}`} autocomplete="new-password" />
    <//>`;
}
