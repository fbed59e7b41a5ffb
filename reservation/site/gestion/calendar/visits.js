// The dialog of the bookings at one time: a single booking, or the bookings of a course.
import { get } from '../../api.js';
import { capital, dateTime } from '../../dates.js';
import { nameOf, Places, Status } from '../../parts/booking.js';
import { Dialog } from '../../parts/dialog.js';
import { Trouble, useAction } from '../../parts/load.js';
import { Button } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Booking } from './booking.js';

/** @import { Entreprise, OwnedReservation, Ressource } from '../../types.js' */
/** @import { Visits } from './spans.js' */

/**
 * With `chosen`, the dialog first shows the details of that booking. Without `chosen`, the dialog
 * first shows the details of a single booking, or a list of several bookings. `onAdd` opens the
 * form for a new booking with the service, start and person of `like`.
 * @param {Visits & { chosen?: OwnedReservation, entreprise: Entreprise, team: Ressource[],
 *   onClose: () => void, onDone: () => void, onAdd: (like: OwnedReservation) => void }} props
 */
export function VisitsDialog({ reservations, chosen: preset, ...props }) {
  const { free, entreprise, team, onClose, onDone, onAdd } = props;
  const [first] = reservations;
  const alone = reservations.length === 1;
  const [chosen, setChosen] = useState(preset ?? (alone ? first : null));
  const refreshing = useAction(async () => setChosen(await get(`api/reservations/${chosen?.id}`)));
  const title = chosen ? nameOf(chosen.client) : first.prestation.nom;
  const body = chosen
    ? html`
      <${Booking} key=${`${chosen.id} ${chosen.version}`} reservation=${chosen}
        ...${{ entreprise, team, onDone }} reload=${() => refreshing.run()} />
      <${Trouble} ...${refreshing.failed} />`
    : html`<${People} reservations=${reservations} onChoose=${setChosen} />`;
  const back = html`
    <div>
      <${Button} class="plain" onClick=${() => setChosen(null)}>${t('backToCourse')}<//>
    </div>`;
  const add = html`
    <div>
      <${Button} icon="plus" onClick=${() => onAdd(first)}>${t('addToCourse', { n: free })}<//>
    </div>`;
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      ${body}
      ${!alone && chosen && back}
      ${(alone || !chosen) && free > 0 && add}
    <//>`;
}

/**
 * @param {{ reservations: OwnedReservation[], onChoose: (chosen: OwnedReservation) => void }} props
 */
const People = ({ reservations, onChoose }) => html`
  <p class="muted">${capital(dateTime(reservations[0].debut))}</p>
  <ul class="people">
    ${reservations.map(
      (one) => html`
      <li key=${one.id}>
        <${Button} onClick=${() => onChoose(one)}>
          <b>${nameOf(one.client)}</b>
          <${Places} n=${one.places} /><${Status} statut=${one.statut} />
        <//>
      </li>`,
    )}
  </ul>`;
