// Page /reservations?vue=: the customer's bookings, upcoming or past.
import {
  dateTime,
  dayOf,
  dotted,
  isElsewhere,
  plusDays,
  shortDate,
  shortWeekday,
  timeOf,
  today,
} from '../dates.js';
import { More, usePagesOf } from '../lists/pages.js';
import { Places, Status, withName } from '../parts/booking.js';
import { Loaded } from '../parts/load.js';
import { Empty, Page } from '../parts/page.js';
import { address } from '../router.js';
import { RELEASED } from '../states.js';
import { t } from '../texts/booking.js';
import { html } from '../vendor/htm-3.1.1.js';

/** @import { ListPage } from '../lists/reading.js' */
/** @import { Reservation, ViewProps } from '../types.js' */

const MOST = 20; // bookings per page

/** @param {ViewProps} props */
export default function View({ query }) {
  const past = query.get('vue') === 'passes';
  return html`
    <${Page} title=${t('navBookings')}>
      <nav class="tabs" aria-label=${t('navBookings')}>
        <a class="button" href="reservations" aria-current=${!past && 'page'}>${t('coming')}</a>
        <a class="button" href=${address('reservations', { vue: 'passes' })}
          aria-current=${past && 'page'}>${t('past')}</a>
      </nav>
      <${List} key=${past} past=${past} />
    <//>`;
}

/** @param {{ past: boolean }} props */
function List({ past }) {
  // The API filters by the date in the time zone of the business. This date can be one day before
  // or after the visitor's date. So the list asks for one extra day. `belongs` then removes past
  // bookings from the list of upcoming bookings, and vice versa.
  const span = past ? { au: plusDays(today(), 1), recentes: 1 } : { du: plusDays(today(), -1) };
  const pages = usePagesOf('api/reservations', { ...span, miennes: 1, limite: MOST });
  /** @param {Reservation} reservation */
  const belongs = ({ fin }) => Date.parse(fin) <= Date.now() === past;
  const find = html`<a class="button main" href=".">${t('findTime')}</a>`;
  const none = t(past ? 'noPast' : 'noComing');
  return html`
    <${Loaded} from=${pages.list}>${(/** @type {ListPage<Reservation>} */ { items, next }) => {
      const shown = items.filter(belongs);
      const entries = shown.map(
        (one) => html`<li key=${one.id}><${Booking} reservation=${one} /></li>`,
      );
      return html`
        ${shown.length > 0 && html`<ul class="stack">${entries}</ul>`}
        ${!shown.length && !next && html`<${Empty} action=${find}>${none}<//>`}
        <${More} pages=${pages} />`;
    }}<//>`;
}

/** @param {{ reservation: Reservation }} props */
function Booking({ reservation }) {
  const { id, debut, statut, places, entreprise, prestation, ressource, lieu } = reservation;
  const day = dayOf(debut);
  const over = RELEASED.has(statut);
  // A booking has the UTC offset of the business, but not the name of its zone.
  const zone = isElsewhere(debut) && `UTC${debut.slice(19)}`;
  return html`
    <article class=${`card link booking ${over ? 'over' : ''}`}>
      <div class="date" aria-hidden="true">
        <small>${shortWeekday(day)}</small><b>${shortDate(day)}</b><span>${timeOf(debut)}</span>
      </div>
      <div class="stack tight">
        <h2>
          <a href="reservations/${id}">
            ${prestation.nom}<span class="unseen">, ${dateTime(debut)}</span>
          </a>
        </h2>
        <p class="muted">${dotted(entreprise.nom, withName(ressource), lieu?.nom)}</p>
        <p class="row"><${Status} statut=${statut} /><${Places} n=${places} /></p>
        ${zone && html`<small class="block">${t('otherClock', { zone })}</small>`}
      </div>
    </article>`;
}
