// The page of one booking, for the business. E-mails to the business link to this page.
import { get } from '../../api.js';
import { dayOf, longDay } from '../../dates.js';
import { nameOf } from '../../parts/booking.js';
import { useLoad } from '../../parts/load.js';
import { Page } from '../../parts/page.js';
import { teamPath } from '../../parts/people.js';
import { address } from '../../router.js';
import { isolated } from '../../texts.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { calendarOf, manages } from '../frame.js';
import { Booking } from './booking.js';

/** @import { Entreprise, OwnedReservation } from '../../types.js' */

/** @param {{ reservation: OwnedReservation, entreprise: Entreprise, again: () => void }} props */
export function Alone({ reservation, entreprise, again }) {
  const day = dayOf(reservation.debut);
  const { id } = entreprise;
  const read = async () => (manages(entreprise) ? get(teamPath(id)) : (await calendarOf(id)).team);
  const team = useLoad(read, [id]);
  return html`
    <${Page} title=${nameOf(reservation.client)}>
      <section class="card stack">
        <${Booking} key=${reservation.version} ...${{ reservation, entreprise }}
          team=${team.value ?? []}
          onDone=${again} reload=${again} />
      </section>
      <p>
        <a href=${address(`gestion/${entreprise.id}/agenda`, { jour: day })}>
          ${isolated(entreprise.nom)}, ${longDay(day)}
        </a>
      </p>
    <//>`;
}
