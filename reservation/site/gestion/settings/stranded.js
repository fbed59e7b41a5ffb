// The list of the bookings that a change of the calendar affects.
import { dateTime } from '../../dates.js';
import { nameOf } from '../../parts/booking.js';
import { Phone } from '../../parts/names.js';
import { Note } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { isolated } from '../../texts.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { OwnedReservation } from '../../types.js' */

/**
 * Lists the bookings below a note. With `told`, the note says who is notified. Otherwise, the note
 * has the text `kept`.
 * @param {{ reservations: OwnedReservation[], told?: boolean, kept?: string }} props
 */
export function Stranded({ reservations, told, kept = t('strandsKept') }) {
  if (!reservations.length) {
    return html`<${Note} tone="good" icon="check" role="status">${t('strandsNobody')}<//>`;
  }
  const untold = reservations.some(({ client }) => !client.email);
  return html`
    <div class="note warn stack">
      <p role="status">
        <b>${t('strands', { n: reservations.length })}</b>
        ${' '}${told ? t(untold ? 'strandsUntold' : 'strandsTold') : kept}
      </p>
      <ul class="stack tight stranded">
        ${reservations.map(
          ({ id, client, prestation, debut }) => html`
          <li key=${id}>
            <b>${nameOf(client)}</b>, ${isolated(prestation.nom)}, ${dateTime(debut)}
            ${client.telephone && html`${' · '}<${Phone} number=${client.telephone} />`}
            ${told && !client.email && ` · ${t('noEmail')}`}
          </li>`,
        )}
      </ul>
    </div>`;
}
