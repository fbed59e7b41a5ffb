// A bar chart. The chart is redrawn when its width changes, so that the labels keep their size.
import { html, useEffect, useRef, useState } from '../../vendor/htm-3.1.1.js';

const [HEIGHT, LEFT, RIGHT, BOTTOM, TOP] = [240, 56, 20, 28, 12];
const FLOOR = HEIGHT - BOTTOM;
const LABEL = 64; // minimum distance between labels, in pixels

const LINES = 5; // maximum number of horizontal lines above zero

/** Rounds up to 1, 2, 5 or 10 times a power of ten. @param {number} value */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

/**
 * Draws the bar of `parts[n]` in front of the bar of `values[n]`. The top line is the first line
 * at or above the highest value, where a value above the maximum `most` counts as `most`. Lines
 * are at least `unit` apart, so that `format` does not round their labels.
 * @param {{ name: string, labels: string[], values: number[], parts?: number[], unit: number,
 *   most?: number, format: (value: number) => string }} props
 */
export function Chart({ name, labels, values, parts = [], unit, most, format }) {
  const figure = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = figure.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(240, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const highest = Math.min(most ?? Number.POSITIVE_INFINITY, Math.max(...values, 0));
  const apart = Math.max(unit, roundUp(highest / LINES));
  const lines = Math.max(1, Math.ceil(highest / apart));
  const top = lines * apart;
  /** @param {number} value */
  const y = (value) => FLOOR - (Math.min(top, value) / top) * (FLOOR - TOP);
  const step = (width - LEFT - RIGHT) / Math.max(1, values.length);
  const each = Math.ceil(LABEL / step);
  /** @param {number} value @param {number} n @param {string} kind */
  const bar = (value, n, kind) =>
    value > 0 &&
    html`
    <rect class=${kind} x=${LEFT + (n + 0.15) * step} width=${step * 0.7} y=${y(value)}
      height=${FLOOR - y(value)} rx=${Math.min(3, step / 4)} />`;
  return html`
    <div ref=${figure}>
      <svg class="chart" width=${width} height=${HEIGHT} viewBox="0 0 ${width} ${HEIGHT}"
        role="img" aria-label=${name}>
        ${Array.from(
          { length: lines + 1 },
          (_, n) => html`
          <line x1=${LEFT} x2=${width} y1=${y(n * apart)} y2=${y(n * apart)} />
          <text x=${LEFT - 8} y=${y(n * apart) + 4} text-anchor="end">
            ${format(n * apart)}
          </text>`,
        )}
        ${values.map(
          (value, n) => html`
          ${bar(value, n, 'whole')}${bar(parts[n] ?? 0, n, 'part')}
          ${
            n % each === 0 &&
            html`
            <text x=${LEFT + (n + 0.5) * step} y=${HEIGHT - 8} text-anchor="middle">
              ${labels[n]}
            </text>`
          }`,
        )}
      </svg>
    </div>`;
}
