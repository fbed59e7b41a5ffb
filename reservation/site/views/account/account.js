// Page /compte: the visitor's details, e-mail address, password and data.
import { get, post, put, session, setSession, updateSession } from '../../api.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Loaded, Trouble, useAction, useLoad } from '../../parts/load.js';
import { Button, Page, say } from '../../parts/page.js';
import { discard, go } from '../../router.js';
import { t } from '../../texts/account.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Address } from './address.js';
import { Data } from './data.js';
import { becomeOwner } from './owner.js';

/** @import { Compte, Ressource } from '../../types.js' */
/** @import { VNode } from '../../vendor/htm-3.1.1.js' */

/** @typedef {{ compte: Compte, calendars: Ressource[] }} Account */

/** @returns {Promise<Account>} */
async function read() {
  const customer = session.get()?.user.role === 'student';
  const [compte, calendars] = await Promise.all([
    get('api/compte'),
    customer ? get('api/compte/ressources') : [],
  ]);
  return { compte, calendars };
}

/** Draws all sections at once, so that no button moves under a click. */
export default function View() {
  const account = useLoad(read, []);
  return html`
    <${Page} title=${t('navAccount')}>
      <${Loaded} from=${account}>${(/** @type {Account} */ { compte, calendars }) => {
        const set = (/** @type {Compte} */ changed) => account.set({ compte: changed, calendars });
        return html`
          <${Section} title=${t('profile')}><${Profile} compte=${compte} onSaved=${set} /><//>
          <${Section} title=${t('email')}><${Address} compte=${compte} onChanged=${set} /><//>
          <${Section} title=${t('changePassword')}>
            <${Password} />
            <p class="small"><a href="mot-de-passe">${t('noPassword')}</a></p>
          <//>
          ${calendars.length > 0 && html`<${OwnCalendars} />`}
          ${
            session.get()?.user.role === 'student' &&
            html`
            <${Request} title=${t('becomeOwner')} help=${t('becomeOwnerHelp')}
              action=${t('openOwn')} send=${startBusiness} />`
          }
          <${Request} title=${t('devices')} help=${t('devicesHelp')}
            action=${t('signOutEverywhere')} send=${signOutEverywhere} />
          <${Section} title=${t('myData')}><${Data} /><//>`;
      }}<//>
    <//>`;
}

const OwnCalendars = () => html`
  <${Section} title=${t('ownCalendars')}>
    <div><a class="button" href="gestion">${t('seeCalendars')}</a></div>
  <//>`;

/** @param {{ title: string, children?: VNode }} props */
const Section = ({ title, children }) => html`
  <section class="card stack"><h2>${title}</h2>${children}</section>`;

/** @param {{ compte: Compte, onSaved: (saved: Compte) => void }} props */
function Profile({ compte, onSaved }) {
  const { id, role, email, emailProuve, ...own } = compte;
  const form = useForm(
    own,
    ({ dateNaissance, ...values }) =>
      put('api/compte', { ...values, dateNaissance: dateNaissance || null }),
    {
      onDone: (/** @type {Compte} */ saved) => {
        onSaved(saved);
        updateSession({ user: { first_name: saved.prenom, last_name: saved.nom } });
        say(t('saved'));
      },
    },
  );
  return html`
    <${Form} form=${form} action=${t('save')}>
      <div class="two">
        <${Field} name="prenom" label=${t('firstName')} required=${false} autocomplete="given-name"
          maxlength="100" />
        <${Field} name="nom" label=${t('lastName')} autocomplete="family-name" maxlength="100" />
      </div>
      <div class="two">
        <${Field} name="telephone" type="tel" label=${t('phone')} required=${false}
          autocomplete="tel" maxlength="40" />
        <${Field} name="dateNaissance" type="date" label=${t('birthDate')} required=${false}
          autocomplete="bday" />
      </div>
      <${Field} name="langue" label=${t('mailLanguage')} as="select">
        <option value="fr">${t('french')}</option><option value="en">${t('english')}</option>
      <//>
    <//>`;
}

function Password() {
  const empty = { current_password: '', new_password: '' };
  const form = useForm(empty, (values) => post('auth/password', values), {
    light: true,
    names: { password: 'new_password' },
    codes: { invalid_credentials: { field: 'current_password', text: t('wrongPassword') } },
    onDone: ({ token }) => {
      updateSession({ token });
      form.set(empty);
      say(t('passwordChanged'));
    },
  });
  const hint = `${t('newPasswordHint')} ${t('otherSessionsEnd')}`;
  return html`
    <${Form} form=${form} action=${t('changePassword')}>
      <input type="email" autocomplete="username" value=${session.get()?.user.email} hidden />
      <${Field} name="current_password" type="password" label=${t('currentPassword')}
        autocomplete="current-password" />
      <${Field} name="new_password" type="password" label=${t('newPassword')} hint=${hint}
        autocomplete="new-password" />
    <//>`;
}

async function startBusiness() {
  await becomeOwner();
  go('gestion');
}

async function signOutEverywhere() {
  await post('auth/logout');
  setSession(null);
  go('.');
  say(t('signedOutEverywhere'));
}

/**
 * A section with a button that sends a request, after which the visitor leaves the page.
 * @param {{ title: string, help: string, action: string, send: () => Promise<void> }} props
 */
function Request({ title, help, action, send }) {
  const { run, busy, failed } = useAction(send);
  return html`
    <${Section} title=${title}>
      <p>${help}</p>
      <${Trouble} ...${failed} />
      <div><${Button} aria-disabled=${busy} onClick=${() => discard(run)}>${action}<//></div>
    <//>`;
}
