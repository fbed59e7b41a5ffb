// The last step of the absence dialog: lists the moved bookings, and the customers to call.
import { Refusal } from '../../api.js';
import { explain } from '../../errors.js';
import { nameOf } from '../../parts/booking.js';
import { Button, Note } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Stranded } from '../settings/stranded.js';

/** @import { OwnedReservation } from '../../types.js' */
/** @import { Proposal } from './absence.js' */

/** @typedef {{ reservation: number, deplacee: boolean, code?: Refusal['code'] }} Move */
/**
 * `shut` is 'oui' if the calendar of the absent person was closed, otherwise ''.
 * @typedef {{ deplacements: Move[], reservationsTouchees: OwnedReservation[],
 *   shut: string }} Outcome
 */

/** @param {Outcome & { found: Proposal[], onClose: () => void }} props */
export function Done({ deplacements, reservationsTouchees, shut, found, onClose }) {
  const isMoved = new Set(deplacements.filter((one) => one.deplacee).map((one) => one.reservation));
  const moved = found
    .filter(({ reservation }) => isMoved.has(reservation.id))
    .map((one) => ({ ...one.reservation, debut: one.proposition?.debut ?? '' }));
  const untold = moved.filter(({ client }) => !client.email);
  const told = new Set(moved.map(({ client }) => client.email).filter(Boolean)).size;
  const changed = moved.length > 0 || shut;
  const texts = [
    moved.length > 0 && t('absenceDone', { n: moved.length }),
    told > 0 && t('absenceTold', { n: told }),
    !moved.length && t(shut ? 'absenceDoneNone' : 'absenceUnchanged'),
  ];
  const refused = deplacements.filter(({ deplacee }) => !deplacee);
  /** @param {number} id */
  const whose = (id) => found.find(({ reservation }) => reservation.id === id)?.reservation.client;
  const why = html`
    <ul class="note warn stack tight">
      ${refused.map(({ reservation, code }) => {
        const client = whose(reservation);
        const label = client ? nameOf(client) : '';
        const gone = code === 'not_found';
        const text = gone ? t('absenceGone') : explain(new Refusal(409, code)).general;
        return html`<li key=${reservation}>${t('labelled', { label, text })}</li>`;
      })}
    </ul>`;
  const stay = html`
    <${Stranded} reservations=${reservationsTouchees} told=${Boolean(shut)}
      kept=${t('absenceKept')} />`;
  return html`
    <${Note} tone=${changed ? 'good' : ''} icon=${changed ? 'check' : 'info'}>
      ${texts.filter(Boolean).join(' ')}
    <//>
    ${untold.length > 0 && html`<${Stranded} reservations=${untold} kept=${t('absenceUntold')} />`}
    ${refused.length > 0 && why}
    ${reservationsTouchees.length > 0 && stay}
    <div class="actions"><${Button} class="main" onClick=${onClose}>${t('close')}<//></div>`;
}
