// Checks whether a dragged booking fits at its new time. The data may be stale, so the API checks
// the move again.
import { performersOf } from '../../../parts/people.js';
import { OPEN } from '../../../states.js';
import { wallOf } from '../spans.js';

/** @import { OwnedReservation, Ressource } from '../../../types.js' */
/** @import { CalendarDays } from '../reading.js' */
/** @import { Times } from '../spans.js' */
/** @import { Target } from './options.js' */

/** @typedef {'dropClosed' | 'dropPast' | 'dropTaken' | 'dropUnable'} Conflict */

/** @param {CalendarDays} calendar @param {Target} target */
const entriesAt = ({ entries }, { member }) =>
  entries.find((one) => one.member?.id === member?.id) ?? entries[0];

/**
 * Returns the slot that begins at `target.from`, or undefined.
 * @param {CalendarDays} calendar
 * @param {Target} target
 */
export const startAt = (calendar, target) =>
  entriesAt(calendar, target).creneaux.find(({ debut }) => wallOf(debut) === target.from);

/** `from` and `to` are in ms since 1970. @param {number} from @param {number} to */
const overlaps =
  (from, to) =>
  (/** @type {Times} */ { debut, fin }) =>
    Date.parse(debut) < to && Date.parse(fin) > from;

/**
 * @param {CalendarDays} calendar
 * @param {Ressource[]} team
 * @param {OwnedReservation} reservation
 * @param {Target} target
 * @returns {Conflict | null}
 */
export function conflictOf(calendar, team, reservation, target) {
  const { member } = target;
  const service = calendar.services.find(({ id }) => id === reservation.prestationId);
  const isAble = !member || !service || performersOf(service, team, member.genre).includes(member);
  if (!isAble) return 'dropUnable';
  const start = startAt(calendar, target);
  if (!start) return 'dropClosed';
  const from = Date.parse(start.debut);
  const to = from + Date.parse(reservation.fin) - Date.parse(reservation.debut);
  const { creneaux, reservations } = entriesAt(calendar, target);
  const slots = creneaux.filter(overlaps(from, to));
  const ends = slots.map(({ fin }) => Date.parse(fin));
  const isGapless = slots.every(({ debut }, n) => !n || Date.parse(debut) <= ends[n - 1]);
  const isOpen = isGapless && slots.every(({ motif }) => motif !== 'ferme');
  if (!isOpen || ends[ends.length - 1] < to) return 'dropClosed';
  if (from < Date.now()) return 'dropPast';
  const who = member?.id ?? reservation.ressource?.id;
  /** @param {OwnedReservation} one */
  const isOf = ({ ressource, lieu }) => [ressource?.id, lieu?.id].includes(who);
  const isBeside = reservations
    .filter((one) => OPEN.has(one.statut) && one.id !== reservation.id && isOf(one))
    .some(overlaps(from, to));
  if (member?.genre === 'lieu') return isBeside ? 'dropTaken' : null;
  const { tamponAvant = 0, tamponApres = 0 } = service ?? {};
  /** @param {number} from @param {number} to */
  const withBuffers = (from, to) =>
    overlaps(from - tamponAvant * 60_000, to + tamponApres * 60_000);
  const busy = creneaux
    .filter(withBuffers(from, to))
    .filter(
      ({ motif, ressources }) =>
        motif === 'complet' || (ressources && who && !ressources.includes(who)),
    );
  const isOwn = withBuffers(Date.parse(reservation.debut), Date.parse(reservation.fin));
  const isFreed = !member || isOf(reservation); // the slots of the dragged booking become free
  const isTaken = busy.some((slot) => !(isFreed && isOwn(slot))) || (isBeside && busy.length > 0);
  return isTaken ? 'dropTaken' : null;
}
