// Days, times, lengths and prices, in the visitor's language. A day is a text such as
// '2030-01-31'. An instant is what the API writes: '2030-01-31T09:30:00+01:00' shows the clock of
// the business itself, so that no zone is needed to read it.
import { language, t } from './texts.js';

const formats = new Map();

function format(options, zone = 'UTC') {
  const key = JSON.stringify([language(), zone, options]);
  if (!formats.has(key)) {
    formats.set(key, new Intl.DateTimeFormat(locale(), { ...options, timeZone: zone }));
  }
  return formats.get(key);
}

const locale = () => (language() === 'en' ? 'en-GB' : 'fr-FR');
const noon = (day) => new Date(`${day}T12:00Z`);

export const dayOf = (instant) => instant.slice(0, 10);
export const timeOf = (instant) => instant.slice(11, 16);

/** Today in a zone, or where the visitor is. */
export const today = (zone = undefined) => dayOf(clockIn(zone, Date.now()));

/** The day `n` days after another, or before. */
export function plusDays(day, n) {
  const moved = noon(day);
  moved.setUTCDate(moved.getUTCDate() + n);
  return moved.toISOString().slice(0, 10);
}

/** Its place in the week, from 1 for Monday to 7. */
export const weekday = (day) => noon(day).getUTCDay() || 7;

export const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(+noon(text));

/** "mardi 24 novembre", with the year where it is not this one. */
export function longDay(day) {
  const year = day.slice(0, 4) === today().slice(0, 4) ? {} : { year: 'numeric' };
  return format({ weekday: 'long', day: 'numeric', month: 'long', ...year }).format(noon(day));
}

export const shortDay = (day) => format({ day: 'numeric', month: 'short' }).format(noon(day));
export const shortWeekday = (day) => format({ weekday: 'short' }).format(noon(day));

/** The name of a day of the week; Monday is 1. */
export const weekdayName = (number) => format({ weekday: 'long' }).format(noon(plusDays('2024-01-07', number)));

/** "aujourd’hui", "demain", or the long day. */
export function nearDay(day, zone) {
  const names = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  const now = today(zone);
  if (day === now) return names.format(0, 'day');
  return day === plusDays(now, 1) ? names.format(1, 'day') : longDay(day);
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** "mardi 24 novembre à 10:00" */
export const dateTime = (instant) => t('dayAtTime', { day: longDay(dayOf(instant)), time: timeOf(instant) });

/** What the clock shows in a zone at a moment, in the API's words but for the offset. */
export function clockIn(zone, moment) {
  const parts = { dateStyle: 'short', timeStyle: 'medium', timeZone: zone };
  return new Intl.DateTimeFormat('sv', parts).format(new Date(moment)).replace(' ', 'T');
}

/** Whether the visitor's clock shows another time than the business's at that instant. */
export function isElsewhere(instant) {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(instant) ?? [];
  const offset = sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) : 0;
  return offset !== -new Date(instant).getTimezoneOffset();
}

/** What people call a zone: "heure normale d’Europe centrale". */
export function zoneName(zone, instant) {
  const named = format({ timeZoneName: 'long' }, zone).formatToParts(new Date(instant));
  return named.find((part) => part.type === 'timeZoneName').value;
}

/** 75 minutes: "1 h 15". */
export function length(minutes) {
  const rest = minutes % 60;
  if (minutes < 60) return t('minutes', { n: minutes });
  const whole = t('hours', { n: (minutes - rest) / 60 });
  return rest ? `${whole} ${String(rest).padStart(2, '0')}` : whole;
}

/** Minutes as people say a notice: "2 jours", "24 heures". */
export function span(minutes) {
  const units = [['day', 1440], ['hour', 60], ['minute', 1]];
  const [unit, size] = units.find(([, of]) => minutes % of === 0);
  const options = { style: 'unit', unit, unitDisplay: 'long' };
  return new Intl.NumberFormat(locale(), options).format(minutes / size);
}

/** Cents as euros; a business that tells no price has 0, of which nothing is shown. */
export function price(cents) {
  if (!cents) return '';
  const options = { style: 'currency', currency: 'EUR', minimumFractionDigits: cents % 100 ? 2 : 0 };
  return new Intl.NumberFormat(locale(), options).format(cents / 100);
}
