// One visit on a page of its own, as its business sees it: /reservations/{id} draws it for an
// owner, whom a message has led there.
import { html } from '../../vendor/htm-3.1.1.js';
import { dayOf, longDay } from '../../dates.js';
import { Page } from '../../parts/page.js';
import { address } from '../../router.js';
import './frame.js'; // its style and texts
import { nameOf } from './reading.js';
import { Visit } from './visit.js';

export function Alone({ reservation, entreprise, again }) {
  const day = dayOf(reservation.debut);
  return html`
    <${Page} title=${nameOf(reservation.client)}>
      <section class="card stack">
        <${Visit} key=${reservation.version} of=${reservation} entreprise=${entreprise} onDone=${again} reload=${again} />
      </section>
      <p><a href=${address(`gestion/${entreprise.id}/jour`, { jour: day })}>${entreprise.nom}, ${longDay(day)}</a></p>
    <//>`;
}
