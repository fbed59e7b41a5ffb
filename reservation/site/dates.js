// Formats days, times, durations and prices in the visitor's language. A day is a string such as
// '2030-01-31'. An instant is a string such as '2030-01-31T09:30:00+01:00', in the business's zone.
import { format, inUnits, money, words } from './formats.js';
import { isolated, language, t } from './texts.js';

/** @param {string} day */
const noon = (day) => new Date(`${day}T12:00Z`);

/** ISO weekdays: Monday is 1. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** @param {string} instant */
export const dayOf = (instant) => instant.slice(0, 10);

/** @param {string} instant */
export const timeOf = (instant) => instant.slice(11, 16);

/** Returns the current day in `zone`, by default the visitor's zone. @param {string} [zone] */
export const today = (zone) => dayOf(clockIn(zone, Date.now()));

/** @param {string} day @param {number} n */
export function plusDays(day, n) {
  const moved = noon(day);
  moved.setUTCDate(moved.getUTCDate() + n);
  return dayOf(moved.toISOString());
}

/** Returns the first day of the month `months` after that of `day`. @param {string} day */
export function firstOfMonth(day, months = 0) {
  const [year, month] = day.split('-').map(Number);
  return dayOf(new Date(Date.UTC(year, month - 1 + months)).toISOString());
}

/** @param {string} day */
export const weekday = (day) => noon(day).getUTCDay() || 7;

const FIRST = '1971-01-01';
const LAST = '9998-12-31';

/** Returns the nearest day of the years 1971 to 9998. @param {string} day */
export const possible = (day) => (day < FIRST ? FIRST : day > LAST ? LAST : day);

/**
 * Returns whether `text` is a day of the years 1971 to 9998. The API refuses other days. While
 * a visitor types the year 2026, a date field has the years 0002, 0020 and 0202.
 * @param {string | null} text
 * @returns {text is string}
 */
export const isDay = (text) =>
  text !== null &&
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(+noon(text)) &&
  plusDays(text, 0) === text && // 30 February becomes 2 March
  possible(text) === text;

/** Returns 'numeric', or undefined if `day` is in the current year. @param {string} day */
const otherYear = (day) => (day.slice(0, 4) === today().slice(0, 4) ? undefined : 'numeric');

/**
 * Returns "mardi 24 novembre". Adds the year if `day` is not in the current year.
 * @param {string} day
 */
export const longDay = (day) =>
  words(noon(day), { weekday: 'long', day: 'numeric', month: 'long', year: otherYear(day) });

/** Returns "Novembre 2026". @param {string} day */
export const monthName = (day) => capital(words(noon(day), { month: 'long', year: 'numeric' }));

/** @param {string} day */
export const shortDay = (day) => words(noon(day), { day: 'numeric', month: 'short' });

/** Returns "24 nov.". Adds the year if `day` is not in the current year. @param {string} day */
export const shortDate = (day) => (otherYear(day) ? dayAndYear : shortDay)(day);

/** Returns "24 nov. 2026 à 10:00". @param {string} instant */
export const dayTime = (instant) =>
  t('dayAtTime', { day: dayAndYear(dayOf(instant)), time: timeOf(instant) });

/** Returns "24 nov. 2026". @param {string} day */
export const dayAndYear = (day) =>
  words(noon(day), { day: 'numeric', month: 'short', year: 'numeric' });

/** @param {string} day */
export const shortWeekday = (day) => format({ weekday: 'short' }).format(noon(day));

/** Returns "lundi" for 1. @param {number} number */
export const weekdayName = (number) =>
  format({ weekday: 'long' }).format(noon(plusDays('2024-01-07', number)));

/**
 * Returns "aujourd’hui", "demain" or `longDay(day)`. By default, `zone` is the visitor's zone.
 * @param {string} day
 * @param {string} [zone]
 */
export function nearDay(day, zone) {
  const names = new Intl.RelativeTimeFormat(language.get(), { numeric: 'auto' });
  const now = today(zone);
  if (day === now) return names.format(0, 'day');
  return day === plusDays(now, 1) ? names.format(1, 'day') : longDay(day);
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns "mardi 24 novembre à 10:00". @param {string} instant */
export const dateTime = (instant) =>
  t('dayAtTime', { day: longDay(dayOf(instant)), time: timeOf(instant) });

/** Returns "mardi 24 novembre, 10:00 – 10:30". @param {string} debut @param {string} [fin] */
export function dateTimes(debut, fin) {
  if (!fin) return dateTime(debut);
  const [from, to] = [debut, fin].map((one) => `${longDay(dayOf(one))}, ${timeOf(one)}`);
  return `${from} – ${dayOf(fin) === dayOf(debut) ? timeOf(fin) : to}`;
}

/**
 * Returns `moment` as local time in `zone`, such as '2030-01-31T09:30:00'.
 * @param {string | undefined} zone
 * @param {number} moment in ms since 1970
 */
export function clockIn(zone, moment) {
  /** @type {Intl.DateTimeFormatOptions} */
  const parts = { dateStyle: 'short', timeStyle: 'medium', timeZone: zone };
  return new Intl.DateTimeFormat('sv', parts).format(new Date(moment)).replace(' ', 'T');
}

/**
 * Converts a local time in `zone`, such as '2030-01-31T09:30', to an instant in UTC. If the clock
 * shows the time twice, returns the first instant. If the clock skips the time, converts it with
 * the UTC offset before the change, so 02:30 becomes 03:30.
 * @param {string} zone
 * @param {string} wall
 */
export function instantAt(zone, wall) {
  const wanted = Date.parse(`${wall}Z`);
  /** @param {number} moment */
  const shown = (moment) => Date.parse(`${clockIn(zone, moment)}Z`);
  // The instant by the UTC offset of the day before, and by that of the day after.
  const [before, after] = [-1, 1].map((days) => {
    const near = wanted + days * 86_400_000;
    return wanted + near - shown(near);
  });
  const moment = shown(before) !== wanted && shown(after) === wanted ? after : before;
  return new Date(moment).toISOString().replace('.000', '');
}

/** Returns whether `instant` has another UTC offset than the visitor. @param {string} instant */
export const isElsewhere = (instant) =>
  clockIn(undefined, Date.parse(instant)) !== instant.slice(0, 19);

/**
 * Returns the name of a time zone for the whole year, such as "heure d’Europe centrale": neither
 * summer nor standard time.
 * @param {string} zone
 */
export function zoneName(zone) {
  const parts = format({ timeZoneName: 'longGeneric' }, zone).formatToParts();
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? zone;
}

/** Returns 570 for "09:30". @param {string} time */
export function minuteOf(time) {
  const [hours, minutes] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Returns 1560 for 18:00 to 02:00. @param {{ debut: string, fin: string }} opening */
export const endOf = ({ debut, fin }) => minuteOf(fin) + (fin > debut ? 0 : 1440);

/** Returns "09:30" for 570. @param {number} minute */
export const clock = (minute) =>
  [Math.floor(minute / 60), minute % 60].map((n) => String(n).padStart(2, '0')).join(':');

/** Returns "1 h 15" for 75 minutes. @param {number} minutes */
export function length(minutes) {
  const rest = minutes % 60;
  if (minutes < 60) return t('minutes', { n: minutes });
  const whole = t('hours', { n: (minutes - rest) / 60 });
  return rest ? `${whole} ${String(rest).padStart(2, '0')}` : whole;
}

/** Returns "2 jours" for 2880, "12 heures" for 720. @param {number} minutes */
export function span(minutes) {
  const unit = minutes % 1440 ? (minutes % 60 ? 'minute' : 'hour') : 'day';
  return inUnits(minutes / { minute: 1, hour: 60, day: 1440 }[unit], unit);
}

/** Returns "39 €" for 3900, or '' for 0 (no price). @param {number} cents */
export const price = (cents) => (cents ? money(cents) : '');

/** Joins the parts that are not empty: "30 min · 39 €". @param {unknown[]} parts */
export const dotted = (...parts) => parts.filter(Boolean).map(isolated).join(' · ');

/**
 * Returns the last day of an event. An event that ends at 00:00 ends on the day before.
 * @param {{ fin: string }} event
 */
export const lastDayOf = ({ fin }) =>
  timeOf(fin) === '00:00' ? plusDays(dayOf(fin), -1) : dayOf(fin);
