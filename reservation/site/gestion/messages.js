// /gestion/{id}/messages?statut=: e-mails of a business, their state, and sending them again.
import { post } from '../api.js';
import { capital, dateTime, dotted } from '../dates.js';
import { FieldError } from '../parts/form.js';
import { Loaded, More, Trouble, useAction, usePagesOf } from '../parts/load.js';
import { Button, Empty, Icon, say } from '../parts/page.js';
import { address } from '../router.js';
import { t } from '../texts/gestion.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Managed, pathOf } from './frame.js';

/** @import { ListPage } from '../lists.js' */
/** @import { ViewProps } from '../types.js' */
/** @import { Email } from './types.js' */

const TONES = { attente: '', envoi: '', envoye: 'good', abandonne: 'danger', retenu: '' };
const FILTERS = /** @type {const} */ (['all', 'attente', 'envoye', 'abandonne', 'retenu']);
const SENDABLE = new Set(['envoye', 'abandonne', 'retenu']);
// Why a message was not sent: codes of `derniereErreur` and their texts. Others are in the words of
// the relay.
const REASONS = /** @type {const} */ ({
  no_address: 'reason_no_address',
  owner_unproven: 'reason_owner_unproven',
  business_quota: 'reason_business_quota',
  address_quota: 'reason_address_quota',
  visit_changed: 'reason_visit_changed',
  visit_begun: 'reason_visit_begun',
});
// The same message would not be sent now either.
const USELESS = new Set(['no_address', 'owner_unproven', 'visit_changed', 'visit_begun']);

/** @param {string} code @returns {code is keyof typeof REASONS} */
const isReason = (code) => Object.hasOwn(REASONS, code);

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const statut = query.get('statut') ?? '';
  return html`
    <${Managed} id=${id} page="messages" lead=${t('messagesLead')}>${() => html`
      <${States} page="gestion/${id}/messages" statut=${statut} />
      <${Messages} key=${statut} path="${pathOf(id)}/emails" statut=${statut} />`}<//>`;
}

/**
 * The tabs of the states, on the page at this address.
 * @param {{ page: string, statut: string }} props
 */
export function States({ page, statut }) {
  /** @param {FILTERS[number]} filter */
  const tab = (filter) => {
    const value = filter === 'all' ? '' : filter;
    return html`
      <a class="button" href=${address(page, { statut: value })}
        aria-current=${value === statut && 'page'}>${t(`mails_${filter}`)}</a>`;
  };
  return html`
    <nav class="tabs" aria-label=${t('pageMessages')}>${FILTERS.map(tab)}</nav>`;
}

/**
 * The e-mails of the list at `path`.
 * @param {{ path: string, statut: string }} props
 */
export function Messages({ path, statut }) {
  const pages = usePagesOf(path, { statut, limite: 30 });
  const { list } = pages;
  return html`
    <${Loaded} from=${list} lines=${5}>${(/** @type {ListPage<Email>} */ { items, next }) => {
      /** @param {Email} changed */
      const replace = (changed) =>
        list.set({ items: items.map((one) => (one.id === changed.id ? changed : one)), next });
      return html`
        <ul class="stack">
          ${items.map(
            (one) => html`
            <li key=${one.id}><${Mail} email=${one} onSent=${replace} /></li>`,
          )}
        </ul>
        ${!items.length && html`<${Empty}>${t('noMessages')}<//>`}
        <${More} pages=${pages} />`;
    }}<//>`;
}

/** @param {{ email: Email, onSent: (changed: Email) => void }} props */
function Mail({ email, onSent }) {
  const { id, destinataire: to, statut, essais, corps } = email;
  const error = (statut !== 'envoye' && email.derniereErreur) || '';
  const sending = useAction(async () => {
    onSent(await post(`api/emails/${id}/renvoi`));
    say(t('sentAgain', { to }));
  });
  const when = capital(dateTime(email.envoyeLe ?? email.creeLe));
  const tries = essais > 1 && t('attempts', { n: essais });
  const subject = email.sujet || t(`genre_${email.genre}`); // a queued e-mail has no subject yet
  const resend = html`
    <${Button} class="small" aria-disabled=${sending.busy} onClick=${() => sending.run()}
      aria-label=${t('sendAgainOf', { subject, to })}>${t('sendAgain')}<//>`;
  const text = html`
    <details><summary>${t('readIt')}</summary><p class="said">${corps}</p></details>`;
  return html`
    <article class="card mail">
      <div class="spread">
        <div class="stack tight grow">
          <h2>${subject}</h2>
          <p class="muted small">
            ${dotted(to && t('mailTo', { to }), when, tries)}
          </p>
        </div>
        <div class="row">
          <${State} statut=${statut} error=${error} />
          ${SENDABLE.has(statut) && !USELESS.has(error) && resend}
        </div>
      </div>
      <${Reason} error=${error} />
      <${Trouble} ...${sending.failed} />
      ${corps && text}
    </article>`;
}

/** @param {{ statut: Email['statut'], error: string }} props */
function State({ statut, error }) {
  const failed = statut === 'abandonne' && isReason(error); // as expected, so it is no alarm
  const text = failed ? t('notSent') : t(`mail_${statut}`);
  return html`<span class="badge ${failed ? '' : TONES[statut]}">${text}</span>`;
}

/** Why a message was not sent. @param {{ error: string }} props */
function Reason({ error }) {
  if (!isReason(error)) return html`<${FieldError} error=${error} />`;
  const account = html` <a href="compte">${t('confirmAddress')}</a>`;
  return html`
    <p class="with-icon small">
      <${Icon} name="info" />
      <span>${t(REASONS[error])}${error === 'owner_unproven' && account}</span>
    </p>`;
}
