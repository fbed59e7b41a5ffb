// Bookings, free time and closed time in a calendar. Spans are in minutes since midnight, in local
// time of the business.
import { dayOf, minuteOf, timeOf } from '../../dates.js';

/** @import { OwnedReservation, Start } from '../../types.js' */
/** @import { Entries } from './reading.js' */

/** @typedef {{ from: number, to: number }} Span */
/** @typedef {{ debut: string, fin: string }} Times */

/**
 * Bookings with the same service, time, person and room. If the bookings take exactly one slot and
 * that slot can still be booked, `free` is the number of places left. Otherwise, `free` is 0.
 * @typedef {{ key: string, reservations: OwnedReservation[], free: number, start?: Start }} Visits
 */

/**
 * Free time without a break, in which each slot has the same number of `places` left.
 * @typedef {Times & { places: number }} Gap
 */

/**
 * Returns a timestamp without seconds and UTC offset, such as "2030-01-31T09:30".
 * @param {string} instant
 */
export const wallOf = (instant) => instant.slice(0, 16);

/** @param {string} wall @param {number} minutes */
export const plusMinutes = (wall, minutes) =>
  new Date(Date.parse(`${wall}Z`) + minutes * 60_000).toISOString().slice(0, 16);

/** The icon of each status that the calendar shows. */
export const ICONS = { demandee: 'bell', confirmee: '', honoree: 'check', absente: 'close' };

/** @param {OwnedReservation} reservation */
export const isShown = ({ statut }) => statut in ICONS;

/**
 * Returns the part of a period that falls on `day`.
 * @param {string} day
 * @param {Times} times
 * @returns {Span}
 */
export function within(day, { debut, fin }) {
  const from = dayOf(debut) < day ? 0 : minuteOf(timeOf(debut));
  const to = dayOf(fin) > day ? 1440 : minuteOf(timeOf(fin));
  return { from, to };
}

/** @param {string} day */
export const touches =
  (day) =>
  (/** @type {Times} */ { debut, fin }) =>
    dayOf(debut) <= day && wallOf(fin) > `${day}T00:00`;

/** @param {Entries} entries @returns {Visits[]} */
export function visitsOf({ reservations, creneaux }) {
  const together = Map.groupBy(reservations, ({ debut, fin, prestationId, ressource, lieu }) =>
    [debut, fin, prestationId, ressource?.id, lieu?.id].join(),
  );
  return [...together].map(([key, all]) => {
    const { debut, fin, ressource } = all[0];
    const own = creneaux.filter((one) => one.debut >= debut && one.fin <= fin);
    const [start] = own;
    /** @param {Start} one */
    const isOpen = ({ motif, ressources }) =>
      !motif && (!ressources || ressources.includes(ressource?.id ?? 0));
    const isCourse = own.length === 1 && start.fin === fin && isOpen(start);
    return { key, reservations: all, free: isCourse ? start.placesRestantes : 0, start };
  });
}

/**
 * Merges adjacent and overlapping free slots with the same number of places. Slots overlap in the
 * calendar of a team. Omits slots that have begun, and a slot whose entry in `visits` has `free`
 * places: the dialog of the bookings offers these places.
 * @param {Entries} entries
 * @param {Visits[]} visits
 * @returns {Gap[]}
 */
export function gapsOf({ creneaux }, visits) {
  const courses = new Set(visits.flatMap(({ free, start }) => (free ? [start?.id] : [])));
  /** @type {Gap[]} */
  const gaps = [];
  for (const { id, debut, fin, motif, placesRestantes: places } of creneaux) {
    if (motif || courses.has(id) || Date.parse(debut) < Date.now()) continue;
    const gap = gaps.findLast((earlier) => earlier.places === places);
    if (!gap || dayOf(gap.debut) !== dayOf(debut) || Date.parse(gap.fin) < Date.parse(debut)) {
      gaps.push({ debut, fin, places });
    } else if (Date.parse(gap.fin) < Date.parse(fin)) gap.fin = fin;
  }
  return gaps;
}

/**
 * Returns the parts of `range` without an open slot. Closed slots have the `motif` 'ferme'.
 * @param {string} day
 * @param {Start[]} creneaux
 * @param {Span} range
 * @returns {Span[]}
 */
export function closedSpans(day, creneaux, range) {
  const spans = [];
  let { from } = range;
  const open = creneaux.filter(({ motif }) => motif !== 'ferme').filter(touches(day));
  for (const one of open.map((slot) => within(day, slot)).sort((a, b) => a.from - b.from)) {
    if (one.from > from) spans.push({ from, to: one.from });
    from = Math.max(from, one.to);
  }
  if (from < range.to) spans.push({ from, to: range.to });
  return spans;
}
