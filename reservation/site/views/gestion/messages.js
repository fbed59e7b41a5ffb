// /gestion/{id}/messages?statut=: what was written to whom, whether it went out, and sending it again.
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { page, post } from '../../api.js';
import { capital, dateTime } from '../../dates.js';
import { Icon, Loaded, say, Trouble, useLoad } from '../../parts/page.js';
import { address } from '../../router.js';
import { t } from '../../texts.js';
import '../../texts/business.js';
import { Managed, pathOf } from './frame.js';

const STATES = { attente: '', envoi: '', envoye: 'good', abandonne: 'danger', retenu: '' };
const FILTERS = ['', 'attente', 'envoye', 'abandonne'];

export default function View({ id, query }) {
  const statut = query.get('statut') ?? '';
  const tab = (value) => html`
    <a class="button" href=${address(`gestion/${id}/messages`, { statut: value })} aria-current=${value === statut && 'page'}>${t(`mails_${value || 'all'}`)}</a>`;
  return html`
    <${Managed} id=${id} page="messages" lead=${t('messagesLead')}>${() => html`
      <nav class="tabs" aria-label=${t('pageMessages')}>${FILTERS.map(tab)}</nav>
      <${List} key=${statut} id=${id} statut=${statut} />`}<//>`;
}

function List({ id, statut }) {
  const read = (more) => page(`${pathOf(id)}/emails`, { statut, limite: 30, ...more });
  const mails = useLoad(() => read(), [id, statut]);
  const [error, tell] = useState(null);
  async function more() {
    tell(null);
    try {
      const next = await read(mails.value.next);
      mails.set({ items: [...mails.value.items, ...next.items], next: next.next });
    } catch (refused) {
      tell(refused);
    }
  }
  const replace = (mail) => mails.set({ ...mails.value, items: mails.value.items.map((one) => (one.id === mail.id ? mail : one)) });
  return html`
    <${Loaded} from=${mails} lines=${5}>${({ items, next }) => html`
      ${items.length
        ? html`<ul class="stack">${items.map((one) => html`<li key=${one.id}><${Mail} of=${one} onSent=${replace} /></li>`)}</ul>`
        : html`<div class="empty"><p>${t('noMessages')}</p></div>`}
      ${error && html`<${Trouble} error=${error} again=${more} />`}
      ${next && html`<div class="center"><button type="button" onClick=${more}>${t('more')}</button></div>`}`}<//>`;
}

function Mail({ of, onSent }) {
  const [busy, wait] = useState(false);
  const [error, tell] = useState(null);
  const when = of.envoyeLe ?? of.creeLe;
  const title = of.sujet || t(`genre_${of.genre}`); // what waits is not written yet
  async function again() {
    if (busy) return;
    wait(true);
    tell(null);
    try {
      onSent(await post(`api/emails/${of.id}/renvoi`));
      say(t('sentAgain', { to: of.destinataire }));
    } catch (refused) {
      tell(refused);
    } finally {
      wait(false);
    }
  }
  return html`
    <article class="card mail">
      <div class="spread">
        <div class="stack tight grow">
          <h2>${title}</h2>
          <p class="muted small">${t('mailTo', { to: of.destinataire })} · ${capital(dateTime(when))}${of.essais > 1 && ` · ${t('attempts', { n: of.essais })}`}</p>
        </div>
        <div class="row">
          <span class="badge ${STATES[of.statut] ?? ''}">${t(`mail_${of.statut}`)}</span>
          ${['envoye', 'abandonne', 'retenu'].includes(of.statut) && html`
            <button type="button" class="small" aria-disabled=${busy} aria-label=${t('sendAgainOf', { subject: title, to: of.destinataire })} onClick=${again}>${t('sendAgain')}</button>`}
        </div>
      </div>
      ${of.derniereErreur && of.statut !== 'envoye' && html`<p class="error"><${Icon} name="alert" />${of.derniereErreur}</p>`}
      ${error && html`<${Trouble} error=${error} again=${again} />`}
      ${of.corps && html`<details><summary>${t('readIt')}</summary><p class="said">${of.corps}</p></details>`}
    </article>`;
}
