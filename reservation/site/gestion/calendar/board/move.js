// The dialog that asks for confirmation after the user has dragged a booking or a closure.
import { put } from '../../../api.js';
import { putOnce } from '../../../attempts.js';
import { capital, clockIn, dateTime, dateTimes, instantAt } from '../../../dates.js';
import { nameOf } from '../../../parts/booking.js';
import { Dialog, Sure } from '../../../parts/dialog.js';
import { Form, useForm } from '../../../parts/form.js';
import { Loaded, Trouble, useLoad } from '../../../parts/load.js';
import { Button, Icon } from '../../../parts/page.js';
import { t } from '../../../texts/gestion.js';
import { isolated } from '../../../texts.js';
import { html } from '../../../vendor/htm-3.1.1.js';
import { Stranded } from '../../settings/stranded.js';
import { Told } from '../told.js';
import { namedTitle } from './titles.js';

/** @import { Effects, Evenement, OwnedReservation, Ressource, Start } from '../../../types.js' */
/** @import { Target } from './options.js' */

/**
 * A change that can be undone with `run`. `text` describes the change. `warning` says that
 * undoing the change sends another e-mail.
 * @typedef {{ text: string, warning?: string, run: () => Promise<unknown> }} Undo
 */

/**
 * @typedef {object} Dropped
 * @property {Target} target
 * @property {OwnedReservation} [reservation]
 * @property {Start} [start] the slot at the new time of `reservation`
 * @property {Evenement} [event]
 */

/**
 * @param {Dropped & { zone: string, onClose: () => void, onDone: (undo: Undo) => void,
 *   reload: () => void }} props
 */
export function MoveDialog({ reservation, start, event, ...props }) {
  const title = t(reservation ? 'moveAsk' : 'moveBlockAsk');
  return html`
    <${Dialog} title=${title} onClose=${props.onClose}>
      ${reservation && start && html`<${MoveVisit} ...${{ reservation, start, ...props }} />`}
      ${event && html`<${MoveEvent} ...${{ event, ...props }} />`}
    <//>`;
}

/** @param {{ from: string, to: string }} props */
const FromTo = ({ from, to }) => html`
  <dl class="from-to">
    <div><dt>${t('fromTime')}</dt><dd>${from}</dd></div>
    <div><dt><${Icon} name="swap" />${t('movedTo')}</dt><dd><b>${to}</b></dd></div>
  </dl>`;

/** @param {string} debut @param {string} fin @param {{ nom: string }} [who] */
const spanText = (debut, fin, who) =>
  capital(dateTimes(debut, fin)) + (who ? `, ${isolated(who.nom)}` : '');

/**
 * Returns the person of the booking after the move, and the room if the booking was dropped in the
 * column of a room. Without a room, the API keeps the present one or, if it is taken, chooses one.
 * @param {OwnedReservation} reservation
 * @param {Ressource} [member] the person or room of the new column
 */
const heldAt = ({ ressource }, member) =>
  member?.genre === 'lieu' ? { who: ressource, where: member } : { who: member ?? ressource };

/**
 * @param {Pick<Dropped, 'target'> & { reservation: OwnedReservation, start: Start,
 *   zone: string, onClose: () => void, onDone: (undo: Undo) => void, reload: () => void }} props
 */
function MoveVisit({ reservation, start, target, zone, onClose, onDone, reload }) {
  const { id, client, debut, fin, ressource, lieu, creneauId } = reservation;
  const { who, where } = heldAt(reservation, target.member);
  const length = Date.parse(fin) - Date.parse(debut);
  // `target.to` is wrong if the clock changes during the visit.
  const end = clockIn(zone, Date.parse(start.debut) + length);
  /** @param {{ message: string }} values */
  const send = ({ message }) =>
    putOnce(`api/reservations/${id}`, {
      creneauId: start.id,
      ressourceId: who?.id,
      lieuId: where?.id,
      version: reservation.version,
      message,
    });
  const form = useForm({ message: '' }, send, {
    onDone: (/** @type {OwnedReservation} */ changed) => {
      const { version } = changed;
      const back = { creneauId, ressourceId: ressource?.id, lieuId: lieu?.id, version };
      onDone({
        text: t('told_move', { who: nameOf(client), when: dateTime(changed.debut) }),
        warning: client.email && t('toldAgain', { email: client.email }),
        run: () => putOnce(`api/reservations/${id}`, back),
      });
    },
  });
  const rooms = where ? `, ${isolated(where.nom)}` : '';
  const aside = html`<${Button} onClick=${onClose}>${t('moveKeep')}<//>`;
  return html`
    <p><b>${nameOf(client)}</b>, ${reservation.prestation.nom}</p>
    <${FromTo} from=${spanText(debut, length ? fin : '', ressource)}
      to=${spanText(start.debut, end, who) + rooms} />
    <${Form} ...${{ form, reload, aside }} action=${t('moveYes')}>
      <${Told} client=${client} />
      <${Trouble} error=${form.taken} />
    <//>`;
}

/** @param {Evenement & { whose?: string }} event @param {Partial<Evenement>} changes */
const bodyOf = ({ id, entrepriseId, whose, ...event }, changes) => ({ ...event, ...changes });

/**
 * @param {Pick<Dropped, 'target'> & { event: Evenement, zone: string, onClose: () => void,
 *   onDone: (undo: Undo) => void, reload: () => void }} props
 */
function MoveEvent({ event, target, zone, onClose, onDone, reload }) {
  const path = `api/evenements/${event.id}`;
  const debut = instantAt(zone, target.from);
  const fin = instantAt(zone, target.to);
  const ressourceId = event.ressourceId && (target.member?.id ?? event.ressourceId);
  const body = bodyOf(event, { debut, fin, ressourceId });
  const tried = useLoad(() => put(path, body, { essai: 1 }), [path]);
  /** @param {Evenement} moved */
  const done = ({ version }) =>
    onDone({
      text: t('blockMoved', { title: namedTitle(event) }),
      run: () => putOnce(path, bodyOf(event, { version })),
    });
  return html`
    <p><b>${namedTitle(event)}</b></p>
    <${FromTo} from=${spanText(event.debut, event.fin)}
      to=${spanText(target.from, target.to)} />
    <${Loaded} from=${tried}>${(/** @type {Effects} */ { reservationsTouchees: stranded }) => html`
      ${stranded.length > 0 && html`<${Stranded} reservations=${stranded} told />`}
      <${Sure} action=${t('moveBlockYes')} send=${() => putOnce(path, body)} onDone=${done}
        onBack=${onClose} back=${t('moveKeep')} reload=${reload} />`}<//>`;
}
