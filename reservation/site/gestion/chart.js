// Bars of how full each week is, with the share of no-shows. The table has the same figures.
import { plusDays, shortDay } from '../dates.js';
import { t } from '../texts/gestion.js';
import { language } from '../texts.js';
import { html } from '../vendor/htm-3.1.1.js';

/** @import { Occupation } from './types.js' */

/**
 * Returns a share as a text, such as "16 %".
 * @param {number} part
 * @param {number} [whole]
 */
export const percent = (part, whole = 1) =>
  new Intl.NumberFormat(language.get(), { style: 'percent' }).format(whole ? part / whole : 0);

/** @param {Occupation} week @param {string} now */
export const isCurrent = ({ du }, now) => du <= now && plusDays(du, 6) >= now;

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [640, 260, 44, 28, 10];
const FLOOR = HEIGHT - BOTTOM;

/** @param {Occupation} week */
const filledOf = ({ capaciteMinutes, prisesMinutes }) =>
  capaciteMinutes ? prisesMinutes / capaciteMinutes : 0;

/** @param {{ weeks: Occupation[], now: string }} props */
export function Chart({ weeks, now }) {
  const top = [0.25, 0.5, 1].find((limit) => weeks.every((week) => filledOf(week) <= limit)) ?? 1;
  /** @param {number} share */
  const y = (share) => FLOOR - (Math.min(top, share) / top) * (FLOOR - TOP);
  const lines = [0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => part * top);
  const step = (WIDTH - LEFT) / Math.max(1, weeks.length);
  return html`
    <svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${t('chartLabel')}>
      ${lines.map(
        (share) => html`
        <line x1=${LEFT} x2=${WIDTH} y1=${y(share)} y2=${y(share)} />
        <text x=${LEFT - 8} y=${y(share) + 4} text-anchor="end">${percent(share)}</text>`,
      )}
      ${weeks.map(
        (week, n) => html`
        <${Bar} ...${{ week, now, y, step }} x=${LEFT + n * step} labelled=${n % 2 === 0} />`,
      )}
    </svg>
    <ul class="legend row" aria-hidden="true">
      <li class="past">${t('legendPast')}</li>
      <li class="coming">${t('legendComing')}</li>
      <li class="missed">${t('legendMissed')}</li>
    </ul>`;
}

/**
 * @param {{ week: Occupation, now: string, y: (share: number) => number, step: number, x: number,
 *   labelled: boolean }} props
 */
function Bar({ week, now, y, step, x, labelled }) {
  const filled = filledOf(week);
  const missed = week.reservations ? (filled * week.absentes) / week.reservations : 0;
  const kind = plusDays(week.du, 6) < now ? 'past' : 'coming';
  /** @param {number} share @param {string} name */
  const shape = (share, name) => html`
    <rect x=${x + step * 0.18} width=${step * 0.64} y=${y(share)} height=${FLOOR - y(share)}
      class=${name} rx="3" />`;
  const present = html`
    <rect x=${x} width=${step} y=${TOP} height=${FLOOR - TOP} class="present" />`;
  const label = html`
    <text x=${x + step / 2} y=${HEIGHT - 8} text-anchor="middle">${shortDay(week.du)}</text>`;
  return html`
    ${isCurrent(week, now) && present}
    ${shape(filled, kind)}${missed > 0 && shape(missed, 'missed')}
    ${labelled && label}`;
}
