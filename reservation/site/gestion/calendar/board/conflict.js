// Checks whether a dragged booking fits at its new time. The data may be stale, so the API checks
// the move again.
import { performersOf } from '../../../parts/people.js';
import { wallOf } from '../spans.js';

/** @import { OwnedReservation, Ressource, Start } from '../../../types.js' */
/** @import { CalendarDays } from '../reading.js' */
/** @import { Target } from './options.js' */

const HOLDS = new Set(['demandee', 'confirmee']);

/** @typedef {'dropClosed' | 'dropPast' | 'dropTaken' | 'dropUnable'} Conflict */

/** @param {string} wall @param {number} minutes */
const plusMinutes = (wall, minutes) =>
  new Date(Date.parse(`${wall}Z`) + minutes * 60_000).toISOString().slice(0, 16);

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
  const able = !member || !service || performersOf(service, team, member.genre).includes(member);
  if (!able) return 'dropUnable';
  /** @param {{ debut: string, fin: string }} one */
  const isUnder = ({ debut, fin }) => wallOf(debut) < target.to && wallOf(fin) > target.from;
  const entries = entriesAt(calendar, target);
  const slots = entries.creneaux.filter(isUnder);
  const ends = slots.map(({ fin }) => wallOf(fin));
  const gapless = slots.every(({ debut }, n) => !n || wallOf(debut) <= ends[n - 1]);
  const open = slots.length > 0 && gapless && slots.every(({ motif }) => motif !== 'ferme');
  const whole = startAt(calendar, target) && (ends.at(-1) ?? '') >= target.to;
  if (!open || !whole) return 'dropClosed';
  if (slots[0].motif === 'passe') return 'dropPast';
  const person = member?.id ?? reservation.ressource?.id;
  const isRoom = member?.genre === 'lieu';
  /** @param {OwnedReservation} one */
  const isSame = ({ ressource, lieu }) => [ressource?.id, lieu?.id].includes(person);
  const isBeside = entries.reservations.some(
    (one) => HOLDS.has(one.statut) && one.id !== reservation.id && isUnder(one) && isSame(one),
  );
  const stays = !member || isSame(reservation);
  const { tamponAvant = 0, tamponApres = 0 } = service ?? {};
  /** @param {{ from: string, to: string }} times */
  const withBuffers = ({ from, to }) => ({
    from: plusMinutes(from, -tamponAvant),
    to: plusMinutes(to, tamponApres),
  });
  const held = withBuffers({ from: wallOf(reservation.debut), to: wallOf(reservation.fin) });
  const wanted = withBuffers(target);
  /** Whether the dragged booking itself occupies the slot. @param {Start} slot */
  const isOwn = ({ debut, fin }) => stays && held.from < wallOf(fin) && wallOf(debut) < held.to;
  /** @param {Start} slot */
  const isBusy = ({ motif, ressources }) =>
    motif === 'complet' || (ressources && person && !ressources.includes(person));
  const touched = entries.creneaux.filter(
    ({ debut, fin }) => wallOf(debut) < wanted.to && wallOf(fin) > wanted.from,
  );
  const busy = isRoom ? [] : touched.filter(isBusy);
  const taken = busy.some((slot) => !isOwn(slot)) || (isBeside && (isRoom || busy.length > 0));
  return taken ? 'dropTaken' : null;
}
