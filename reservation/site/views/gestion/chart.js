// Bars of how full each week is, with the part that did not come; the table beside says the same
// in numbers, so that this picture needs to be read by nobody.
import { html } from '../../vendor/htm-3.1.1.js';
import { plusDays, shortDay } from '../../dates.js';
import { t } from '../../texts.js';
import { percent } from './reading.js';

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [640, 260, 44, 28, 10];
const FLOOR = HEIGHT - BOTTOM;
const filledOf = (row) => (row.capaciteMinutes ? row.prisesMinutes / row.capaciteMinutes : 0);

export function Chart({ rows, now }) {
  const top = [0.25, 0.5, 1].find((one) => rows.every((row) => filledOf(row) <= one)) ?? 1;
  const y = (share) => FLOOR - (Math.min(top, share) / top) * (FLOOR - TOP);
  const step = (WIDTH - LEFT) / Math.max(1, rows.length);
  const bar = (row, n) => {
    const filled = filledOf(row);
    const missed = row.reservations ? (filled * row.absentes) / row.reservations : 0;
    const [x, width] = [LEFT + n * step + step * 0.18, step * 0.64];
    const shape = (from, to, kind) => html`<rect x=${x} width=${width} y=${y(to)} height=${y(from) - y(to)} class=${kind} rx="3" />`;
    const present = row.du <= now && plusDays(row.du, 6) >= now;
    return html`
      ${present && html`<rect x=${LEFT + n * step} width=${step} y=${TOP} height=${FLOOR - TOP} class="present" />`}
      ${shape(0, filled, plusDays(row.du, 6) < now ? 'past' : 'coming')}${missed > 0 && shape(0, missed, 'missed')}
      ${n % 2 === 0 && html`<text x=${x + width / 2} y=${HEIGHT - 8} text-anchor="middle">${shortDay(row.du)}</text>`}`;
  };
  return html`
    <svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${t('chartLabel')}>
      ${[0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => part * top).map((share) => html`
        <line x1=${LEFT} x2=${WIDTH} y1=${y(share)} y2=${y(share)} /><text x=${LEFT - 8} y=${y(share) + 4} text-anchor="end">${percent(share)}</text>`)}
      ${rows.map(bar)}
    </svg>
    <ul class="legend row" aria-hidden="true"><li class="past">${t('legendPast')}</li><li class="coming">${t('legendComing')}</li><li class="missed">${t('legendMissed')}</li></ul>`;
}
