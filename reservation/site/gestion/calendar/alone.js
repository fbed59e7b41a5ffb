// A booking as its business sees it, on a page of its own: e-mails to the business lead here.
import { dayOf, longDay } from '../../dates.js';
import { nameOf } from '../../parts/booking.js';
import { Page } from '../../parts/page.js';
import { address } from '../../router.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Booking } from './booking.js';

/** @import { Entreprise, OwnedReservation } from '../../types.js' */

/** @param {{ reservation: OwnedReservation, entreprise: Entreprise, again: () => void }} props */
export function Alone({ reservation, entreprise, again }) {
  const day = dayOf(reservation.debut);
  return html`
    <${Page} title=${nameOf(reservation.client)}>
      <section class="card stack">
        <${Booking} key=${reservation.version} ...${{ reservation, entreprise }}
          onDone=${again} reload=${again} />
      </section>
      <p>
        <a href=${address(`gestion/${entreprise.id}/jour`, { jour: day })}>
          ${entreprise.nom}, ${longDay(day)}
        </a>
      </p>
    <//>`;
}
