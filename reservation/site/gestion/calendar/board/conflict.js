// Checks whether a dragged booking fits at its new time. The data may be stale, so the API checks
// the move again.
import { performersOf } from '../../../parts/people.js';
import { OPEN } from '../../../states.js';
import { plusMinutes, wallOf } from '../spans.js';

/** @import { OwnedReservation, Ressource } from '../../../types.js' */
/** @import { CalendarDays } from '../reading.js' */
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

/** @param {{ from: string, to: string }} times */
const overlaps =
  ({ from, to }) =>
  (/** @type {{ debut: string, fin: string }} */ { debut, fin }) =>
    wallOf(debut) < to && wallOf(fin) > from;

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
  const { creneaux, reservations } = entriesAt(calendar, target);
  const slots = creneaux.filter(overlaps(target));
  const isGapless = slots.every(({ debut }, n) => !n || wallOf(debut) <= wallOf(slots[n - 1].fin));
  const isOpen = isGapless && slots.every(({ motif }) => motif !== 'ferme');
  const isWhole = startAt(calendar, target) && wallOf(slots.at(-1)?.fin ?? '') >= target.to;
  if (!isOpen || !isWhole) return 'dropClosed';
  if (slots[0].motif === 'passe') return 'dropPast';
  const who = member?.id ?? reservation.ressource?.id;
  /** @param {OwnedReservation} one */
  const isOf = ({ ressource, lieu }) => [ressource?.id, lieu?.id].includes(who);
  const isBeside = reservations
    .filter((one) => OPEN.has(one.statut) && one.id !== reservation.id && isOf(one))
    .some(overlaps(target));
  if (member?.genre === 'lieu') return isBeside ? 'dropTaken' : null;
  const { tamponAvant = 0, tamponApres = 0 } = service ?? {};
  /** @param {string} from @param {string} to */
  const withBuffers = (from, to) =>
    overlaps({ from: plusMinutes(from, -tamponAvant), to: plusMinutes(to, tamponApres) });
  const busy = creneaux
    .filter(withBuffers(target.from, target.to))
    .filter(
      ({ motif, ressources }) =>
        motif === 'complet' || (ressources && who && !ressources.includes(who)),
    );
  const isOwn = withBuffers(wallOf(reservation.debut), wallOf(reservation.fin));
  const isFreed = !member || isOf(reservation); // the slots of the dragged booking become free
  const isTaken = busy.some((slot) => !(isFreed && isOwn(slot))) || (isBeside && busy.length > 0);
  return isTaken ? 'dropTaken' : null;
}
