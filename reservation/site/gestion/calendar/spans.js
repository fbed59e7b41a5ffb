// Bookings, free time and closed time in a calendar. Spans are in minutes since midnight, in local
// time of the business.
import { dayOf, dotted, minuteOf, timeOf } from '../../dates.js';
import { t } from '../../texts/calendar.js';

/** @import { Evenement, OwnedReservation, Start } from '../../types.js' */
/** @import { CalendarDays, Entries } from './reading.js' */

/** @typedef {{ from: number, to: number }} Span */
/** @typedef {{ debut: string, fin: string }} Times */

/**
 * Bookings with the same service, time, person and room. If the bookings take exactly one slot and
 * that slot can still be booked, `free` is the number of places left. Otherwise, `free` is 0.
 * @typedef {{ key: string, reservations: OwnedReservation[], free: number, start?: Start }} Visits
 */

/**
 * `starts` are consecutive free slots. `places` is the highest number of places left in a slot.
 * @typedef {Times & { starts: Start[], places: number }} Gap
 */

/**
 * Returns a timestamp without seconds and UTC offset, such as "2030-01-31T09:30".
 * @param {string} instant
 */
export const wallOf = (instant) => instant.slice(0, 16);

/** The icon of each status that the calendar shows. */
export const ICONS = { demandee: 'bell', confirmee: '', honoree: 'check', absente: 'close' };

/** @param {OwnedReservation} reservation */
const isShown = ({ statut }) => statut in ICONS;

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
  const shown = reservations.filter(isShown);
  const together = Map.groupBy(shown, ({ debut, fin, prestationId, ressource, lieu }) =>
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
 * Merges consecutive free slots. Omits a slot if its entry in `visits` has `free` places: the
 * dialog of the bookings offers these places.
 * @param {Entries} entries
 * @param {Visits[]} visits
 * @returns {Gap[]}
 */
export function gapsOf({ creneaux }, visits) {
  const courses = new Set(visits.flatMap(({ free, start }) => (free ? [start?.id] : [])));
  /** @type {Start[][]} */
  const stretches = [];
  for (const creneau of creneaux.filter(({ motif, id }) => !motif && !courses.has(id))) {
    const last = stretches.at(-1)?.at(-1);
    const goes = last?.fin === creneau.debut && dayOf(last.debut) === dayOf(creneau.debut);
    if (goes) stretches.at(-1)?.push(creneau);
    else stretches.push([creneau]);
  }
  return stretches.map((starts) => ({
    debut: starts[0].debut,
    fin: starts[starts.length - 1].fin,
    starts,
    places: Math.max(...starts.map(({ placesRestantes }) => placesRestantes)),
  }));
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

/** @param {Evenement} event */
export const isClosure = ({ type }) => type === 'fermeture';

/**
 * Returns the title of an event. In the calendar of the whole business, the name of the event's
 * person or room comes first.
 * @param {{ titre: string, whose?: string }} event
 */
export const namedTitle = ({ titre, whose }) => dotted(whose, titre);

/** @param {Evenement} event */
export const titleOf = (event) =>
  isClosure(event) ? t('closedFor', { title: namedTitle(event) }) : namedTitle(event);

/**
 * Returns whether an event is a closure of less than 12 hours on one day.
 * @param {Evenement} event
 */
export const isBlock = (event) =>
  isClosure(event) &&
  dayOf(event.debut) === dayOf(event.fin) &&
  Date.parse(event.fin) - Date.parse(event.debut) < 12 * 3_600_000;

/**
 * Returns the time range that the calendar shows. The range starts and ends on the hour and is at
 * least six hours long.
 * @param {CalendarDays} calendar
 * @returns {Span}
 */
export function rangeOf({ entries, hours }) {
  const shown = entries.flatMap(({ creneaux, reservations }) => [
    ...creneaux.filter(({ motif }) => motif !== 'ferme'),
    ...reservations.filter(isShown),
  ]);
  const spans = shown.map((one) => within(dayOf(one.debut), one));
  for (const { debut, fin } of hours) {
    spans.push({ from: minuteOf(debut), to: fin > debut ? minuteOf(fin) : 1440 });
  }
  if (!spans.length) return { from: 9 * 60, to: 18 * 60 };
  const first = Math.floor(Math.min(...spans.map((one) => one.from)) / 60);
  const last = Math.ceil(Math.max(...spans.map((one) => one.to)) / 60);
  const from = Math.min(first, 18);
  return { from: from * 60, to: Math.max(from + 6, last) * 60 };
}

/** @param {number} a @param {number} b @returns {number} */
const divisor = (a, b) => (b ? divisor(b, a % b) : a);

/**
 * Returns the step of a drag, in minutes. For slots at 9:00, 9:20 and 9:40, the step is 20, so that
 * a booking can be dropped at the start of each slot. The minimum is 5.
 * @param {CalendarDays} calendar
 */
export function stepOf({ entries, hours }) {
  const starts = entries.flatMap(({ creneaux }) =>
    creneaux.map(({ debut }) => minuteOf(timeOf(debut)) % 60),
  );
  const all = new Set([60, ...starts, ...hours.map(({ pasMinutes }) => pasMinutes)]);
  return Math.max(5, [...all].reduce(divisor));
}
