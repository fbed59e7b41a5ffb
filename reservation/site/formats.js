// Formats dates and amounts in the visitor's language, and addresses.
import { isolated, language } from './texts.js';

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** @param {Intl.DateTimeFormatOptions} options */
export function format(options, zone = 'UTC') {
  const key = JSON.stringify([language.get(), zone, options]);
  const found = formats.get(key) ?? Intl.DateTimeFormat(locale(), { ...options, timeZone: zone });
  formats.set(key, found);
  return found;
}

export const locale = () => (language.get() === 'en' ? 'en-GB' : 'fr-FR');

/**
 * Formats a day. In French, writes "1er décembre" instead of Intl's "1 décembre".
 * @param {Date} date
 * @param {Intl.DateTimeFormatOptions} options
 */
export function words(date, options) {
  const text = format(options).format(date);
  return language.get() === 'fr' ? text.replace(/(?<!\d)1(?= \p{L})/u, '1er') : text;
}

/** Formats cents as "1 234 €" or "12,50 €". @param {number} cents */
export function money(cents) {
  const digits = { minimumFractionDigits: cents % 100 ? 2 : 0 };
  const euros = new Intl.NumberFormat(locale(), { style: 'currency', currency: 'EUR', ...digits });
  return euros.format(cents / 100);
}

/** Returns "2 jours". @param {number} n @param {'second' | 'minute' | 'hour' | 'day'} unit */
export const inUnits = (n, unit) =>
  new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(n);

/**
 * Returns a postal address in one line.
 * @param {{ adresse: string, codePostal?: string, ville: string }} parts
 * @param {(part: string) => string} [show] changes each part
 */
export const placeOf = ({ adresse, codePostal = '', ville }, show = isolated) =>
  [[adresse], [codePostal, ville]]
    .map((parts) => parts.filter(Boolean).map(show).join(' '))
    .filter(Boolean)
    .join(', ');
