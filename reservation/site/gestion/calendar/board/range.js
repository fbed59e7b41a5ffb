// The times of day that the board shows, and the step of a drag.
import { dayOf, minuteOf, timeOf } from '../../../dates.js';
import { within } from '../spans.js';

/** @import { CalendarDays } from '../reading.js' */
/** @import { Span } from '../spans.js' */

/**
 * Returns the time range that the calendar shows. The range starts and ends on the hour and is at
 * least six hours long.
 * @param {CalendarDays} calendar
 * @returns {Span}
 */
export function rangeOf({ entries, hours }) {
  const shown = entries.flatMap(({ creneaux, reservations }) => [
    ...creneaux.filter(({ motif }) => motif !== 'ferme'),
    ...reservations,
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
