// /gestion/{id}/messages?statut=&qui=&q=: the e-mails of a business.
import { post } from '../api.js';
import { dayTime, dotted } from '../dates.js';
import { usePagesOf } from '../lists/pages.js';
import { FieldError } from '../parts/form.js';
import { Trouble, useAction } from '../parts/load.js';
import { nameOf, Phone } from '../parts/names.js';
import { Button, Empty, Icon, say } from '../parts/page.js';
import { setQuery } from '../router.js';
import { t } from '../texts/gestion.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Managed, pathOf } from './frame.js';
import { PagedRows } from './paged.js';
import { Find } from './rows.js';
import { TeamFilter } from './team/members.js';

/** @import { ViewProps } from '../types.js' */
/** @import { Manage } from './frame.js' */
/** @import { Email } from './types.js' */

const TONES = { attente: '', envoi: '', envoye: 'good', abandonne: 'danger', retenu: '' };
const FILTERS = /** @type {const} */ (['all', 'attente', 'envoye', 'abandonne', 'retenu']);
const SENDABLE = new Set(['envoye', 'abandonne', 'retenu']);
// Maps the codes in `derniereErreur` to the keys of texts. `derniereErreur` may also be an answer
// of the mail relay. The page shows that answer unchanged.
const REASONS = /** @type {const} */ ({
  no_address: 'reason_no_address',
  owner_unproven: 'reason_owner_unproven',
  business_quota: 'reason_business_quota',
  address_quota: 'reason_address_quota',
  visit_changed: 'reason_visit_changed',
  visit_begun: 'reason_visit_begun',
  no_closure: 'reason_no_closure',
  closed: 'reason_closed',
});
// A message with one of these codes has no "Send again" button, because sending would fail again.
const USELESS = new Set(['visit_changed', 'visit_begun', 'no_closure', 'closed']);

/** @param {string} code @returns {code is keyof typeof REASONS} */
const isReason = (code) => Object.hasOwn(REASONS, code);

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const statut = query.get('statut') ?? '';
  const ressource = query.get('qui') ?? '';
  const q = query.get('q') ?? '';
  return html`
    <${Managed} id=${id} page="messages" lead=${t('messagesLead')}>${(
      /** @type {Manage} */ { team },
    ) => html`
      <div class="toolbar">
        <${Find} id="find-message" label=${t('findMessage')} hint=${t('findMessageHint')} q=${q}
          onFind=${(/** @type {string} */ text) => setQuery({ q: text })} />
        <${States} statut=${statut} />
        <${TeamFilter} team=${team} value=${ressource} />
      </div>
      <${Messages} key=${`${statut} ${ressource} ${q}`} path="${pathOf(id)}/emails"
        ...${{ statut, ressource, q }} />`}<//>`;
}

/** A filter by state. Sets the query parameter `statut`. @param {{ statut: string }} props */
export const States = ({ statut }) => html`
  <label class="filter">
    <span class="unseen">${t('messageState')}</span>
    <select value=${statut}
      onChange=${(/** @type {{ target: HTMLSelectElement }} */ { target }) =>
        setQuery({ statut: target.value })}>
      ${FILTERS.map(
        (one) => html`
        <option value=${one === 'all' ? '' : one}>${t(`mails_${one}`)}</option>`,
      )}
    </select>
  </label>`;

/** @param {{ path: string, statut: string, ressource?: string, q?: string }} props */
export function Messages({ path, statut, ressource = '', q = '' }) {
  const pages = usePagesOf(path, { statut, ressource, q, limite: 50 });
  const everything = html`
    <${Button} onClick=${() => setQuery({ statut: '', qui: '', q: '' })}>${t('mails_all')}<//>`;
  const none =
    statut || ressource || q
      ? html`<${Empty} action=${everything}>${t('noSuchMessages')}<//>`
      : html`<${Empty}>${t('noMessages')}<//>`;
  return html`
    <${PagedRows} caption=${t('pageMessages')} columns=${columnsOf(pages.replace)}
      ...${{ pages, none }} />`;
}

/** @param {Email} email */
const errorOf = ({ statut, derniereErreur }) => (statut !== 'envoye' && derniereErreur) || '';

/** @param {Email} email */
const subjectOf = ({ sujet, genre }) => sujet || t(`genre_${genre}`);

/** Returns the address, or else the customer to call. @param {Email} email */
const recipientOf = ({ destinataire, client }) =>
  client
    ? html`
      <b>${nameOf(client)}</b>
      ${client.telephone && html` <${Phone} number=${client.telephone} />`}`
    : destinataire || '–';

/** Returns when the message was sent, or else will be sent. @param {Email} email */
const timeOfEmail = ({ envoyeLe, prochainEssai, creeLe }) =>
  dayTime(envoyeLe ?? prochainEssai ?? creeLe);

/**
 * No column can be sorted. The API returns the messages page by page, always latest first.
 * @param {(changed: Email) => void} onSent
 * @returns {import('./rows.js').Column[]}
 */
const columnsOf = (onSent) => [
  {
    label: t('subject'),
    cell: (/** @type {Email} */ email) => html`
      <${Words} email=${email} />
      <${Reason} error=${errorOf(email)} email=${email} />`,
  },
  { label: t('recipient'), cell: recipientOf },
  {
    label: t('messageDate'),
    cell: timeOfEmail,
  },
  {
    label: t('messageState'),
    cell: (/** @type {Email} */ email) => html`
      <${State} statut=${email.statut} error=${errorOf(email)} />
      ${email.essais > 1 && html`<small>${t('attempts', { n: email.essais })}</small>`}`,
  },
  {
    label: t('rowActions'),
    cell: (/** @type {Email} */ email) => html`<${Resend} ...${{ email, onSent }} />`,
  },
];

/** @param {{ email: Email }} props */
const Words = ({ email }) =>
  email.corps
    ? html`
      <details>
        <summary>${subjectOf(email)}</summary>
        <p class="small muted">
          ${dotted(email.destinataire, timeOfEmail(email))}
        </p>
        <p class="said">${email.corps}</p>
      </details>`
    : html`<b>${subjectOf(email)}</b>`;

/** @param {{ email: Email, onSent: (changed: Email) => void }} props */
function Resend({ email, onSent }) {
  const { id, adresseRenvoi: to, destinataire, statut } = email;
  const sending = useAction(async () => {
    onSent(await post(`api/emails/${id}/renvoi`));
    say(t('sentAgain', { to }));
  });
  if (!to || !SENDABLE.has(statut) || USELESS.has(errorOf(email))) return null;
  return html`
    <${Button} class="small" aria-disabled=${sending.busy} onClick=${() => sending.run()}
      aria-label=${t('sendAgainOf', { subject: subjectOf(email), to })}>${t('sendAgain')}<//>
    ${to !== destinataire && html`<small>${t('sendAgainTo', { to })}</small>`}
    <${Trouble} ...${sending.failed} />`;
}

/** @param {{ statut: Email['statut'], error: string }} props */
function State({ statut, error }) {
  const failed = statut === 'abandonne' && isReason(error);
  const text = failed ? t('notSent') : t(`mail_${statut}`);
  return html`<span class="badge ${failed ? '' : TONES[statut]}">${text}</span>`;
}

/** @param {{ error: string, email: Email }} props */
function Reason({ error, email: { adresseRenvoi: to, reservationId } }) {
  if (!isReason(error)) return html`<${FieldError} error=${error} />`;
  const reason = error === 'no_address' && to ? 'addressAdded' : REASONS[error];
  const account = html` <a href="compte">${t('confirmAddress')}</a>`;
  const visit = html` <a href="reservations/${reservationId}">${t('seeVisit')}</a>`;
  return html`
    <p class="with-icon small">
      <${Icon} name="info" />
      <span>
        ${t(reason)}${error === 'owner_unproven' && account}
        ${error === 'no_address' && reservationId && visit}
      </span>
    </p>`;
}
