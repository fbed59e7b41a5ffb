// /reservations?vue=passes: one's own reservations, those to come and those that were.
import { html, useState } from '../vendor/htm-3.1.1.js';
import { page } from '../api.js';
import { dateTime, dayOf, shortDay, shortWeekday, timeOf, today } from '../dates.js';
import { Loaded, Page, Trouble, useLoad } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { address } from '../router.js';
import { t } from '../texts.js';
import '../texts/booking.js';

const AT_ONCE = 20;

export default function View({ query }) {
  const past = query.get('vue') === 'passes';
  const tab = (is, to, key) => html`<a class="button" href=${to} aria-current=${past === is && 'page'}>${t(key)}</a>`;
  return html`
    <${Page} title=${t('visitsTitle')}>
      <nav class="tabs" aria-label=${t('visitsTitle')}>
        ${tab(false, 'reservations', 'coming')}${tab(true, address('reservations', { vue: 'passes' }), 'past')}
      </nav>
      <${List} key=${past} past=${past} />
    <//>`;
}

function List({ past }) {
  const span = past ? { au: today(), recentes: 1 } : { du: today() };
  const read = (more) => page('api/reservations', { ...span, miennes: 1, limite: AT_ONCE, ...more });
  const first = useLoad(() => read(), []);
  const [pages, show] = useState([]);
  const [error, tell] = useState(null);
  const last = pages.at(-1) ?? first.value;
  async function more() {
    tell(null);
    try {
      show([...pages, await read(last.next)]);
    } catch (refused) {
      tell(refused);
    }
  }
  // The day of today is in both lists, for the API knows days and not hours.
  const belongs = ({ fin }) => (Date.parse(fin) <= Date.now()) === past;
  return html`
    <${Loaded} from=${first}>${(value) => {
      const visits = [value, ...pages].flatMap((one) => one.items).filter(belongs);
      return html`
        ${visits.length > 0 && html`<ul class="stack">${visits.map((one) => html`<li key=${one.id}><${Visit} of=${one} /></li>`)}</ul>`}
        ${!visits.length && !last.next && html`
          <div class="empty"><p>${t(past ? 'noPast' : 'noComing')}</p><a class="button main" href=".">${t('findTime')}</a></div>`}
        ${error && html`<${Trouble} error=${error} again=${more} />`}
        ${last.next && html`<div class="center"><button type="button" onClick=${more}>${t('more')}</button></div>`}`;
    }}<//>`;
}

function Visit({ of }) {
  const day = dayOf(of.debut);
  const over = ['annulee', 'refusee'].includes(of.statut);
  return html`
    <article class=${`card link visit ${over ? 'over' : ''}`}>
      <div class="day" aria-hidden="true"><small>${shortWeekday(day)}</small><b>${shortDay(day)}</b><span>${timeOf(of.debut)}</span></div>
      <div class="stack tight">
        <h2><a href="reservations/${of.id}">${of.prestation.nom}<span class="unseen">, ${dateTime(of.debut)}</span></a></h2>
        <p class="muted">${of.entreprise.nom}</p>
        <p class="row"><${Status} of=${of.statut} />${of.places > 1 && html`<span class="badge">${t('places', { n: of.places })}</span>`}</p>
      </div>
    </article>`;
}
