// /gestion/{id}/messages?statut=: e-mails of a business, their state, and sending them again.
import { post } from '../api.js';
import { capital, dateTime } from '../dates.js';
import { FieldError } from '../parts/form.js';
import { Loaded, More, Trouble, useAction, usePagesOf } from '../parts/load.js';
import { Button, Empty, say } from '../parts/page.js';
import { address } from '../router.js';
import { t } from '../texts/gestion.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Managed, pathOf } from './frame.js';

/** @import { ListPage } from '../lists.js' */
/** @import { Email, ViewProps } from '../types.js' */

const TONES = { attente: '', envoi: '', envoye: 'good', abandonne: 'danger', retenu: '' };
const FILTERS = /** @type {const} */ (['all', 'attente', 'envoye', 'abandonne']);
const SENDABLE = new Set(['envoye', 'abandonne', 'retenu']);

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const statut = query.get('statut') ?? '';
  /** @param {FILTERS[number]} filter */
  const tab = (filter) => {
    const value = filter === 'all' ? '' : filter;
    return html`
      <a class="button" href=${address(`gestion/${id}/messages`, { statut: value })}
        aria-current=${value === statut && 'page'}>${t(`mails_${filter}`)}</a>`;
  };
  return html`
    <${Managed} id=${id} page="messages" lead=${t('messagesLead')}>${() => html`
      <nav class="tabs" aria-label=${t('pageMessages')}>${FILTERS.map(tab)}</nav>
      <${List} key=${statut} id=${id} statut=${statut} />`}<//>`;
}

/** @param {{ id: string, statut: string }} props */
function List({ id, statut }) {
  const pages = usePagesOf(`${pathOf(id)}/emails`, { statut, limite: 30 });
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
  const sending = useAction(async () => {
    onSent(await post(`api/emails/${id}/renvoi`));
    say(t('sentAgain', { to }));
  });
  const when = capital(dateTime(email.envoyeLe ?? email.creeLe));
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
            ${t('mailTo', { to })} · ${when}${essais > 1 && ` · ${t('attempts', { n: essais })}`}
          </p>
        </div>
        <div class="row">
          <span class="badge ${TONES[statut]}">${t(`mail_${statut}`)}</span>
          ${SENDABLE.has(statut) && resend}
        </div>
      </div>
      ${statut !== 'envoye' && html`<${FieldError} error=${email.derniereErreur} />`}
      <${Trouble} ...${sending.failed} />
      ${corps && text}
    </article>`;
}
