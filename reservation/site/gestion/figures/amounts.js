// Shares, changes and hours as texts.
import { locale } from '../../formats.js';
import { t } from '../../texts/gestion.js';

/** @param {Intl.NumberFormatOptions} options */
const format = (options) => new Intl.NumberFormat(locale(), options);

/** Returns a share, or 0 if `whole` is 0. @param {number} part @param {number} whole */
export const ratio = (part, whole) => (whole ? part / whole : 0);

/** Returns "16 %", or "–" if `whole` is 0. @param {number} part @param {number} whole */
export const percent = (part, whole) =>
  whole ? format({ style: 'percent' }).format(part / whole) : '–';

/**
 * Formats minutes as hours, such as "9,5". Amounts of 10 hours or more have no decimals.
 * @param {number} minutes
 */
export const hours = (minutes) =>
  format({ maximumFractionDigits: minutes < 600 ? 1 : 0 }).format(minutes / 60);

/**
 * Returns a change such as "+12 %", or '' if `before` is 0.
 * @param {number} now
 * @param {number} before
 */
export const change = (now, before) =>
  before
    ? format({ style: 'percent', signDisplay: 'exceptZero' }).format((now - before) / before)
    : '';

/** Returns a change in percentage points: "+3 pts". @param {number} now @param {number} before */
export function points(now, before) {
  const n = Math.round(now * 100) - Math.round(before * 100);
  return t('points', { n: format({ signDisplay: 'exceptZero' }).format(n) });
}
