// The buttons of the grid: free time, and bookings.
import { clock, dotted, minuteOf, timeOf } from '../../dates.js';
import { nameOf } from '../../parts/booking.js';
import { Icon } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { Draw } from './grid.js' */
/** @import { BookedBlock, Gap } from './layout.js' */
/** @import { Ressource } from '../../types.js' */

/**
 * Free time. A click books near the clicked time, the keyboard from the start.
 * @param {{ block: Gap, day: string, member?: Ressource, stop: string,
 *   onGap: Draw['onGap'] }} props
 */
export function GapButton({ block, day, member, stop, onGap }) {
  const { key, from, to, starts, places } = block;
  /** @param {MouseEvent & { currentTarget: HTMLElement }} event */
  const choose = ({ currentTarget, detail, clientY }) => {
    const { top, height } = currentTarget.getBoundingClientRect();
    const inGrid = getComputedStyle(currentTarget.parentElement ?? document.body).position;
    const byMouse = detail > 0 && inGrid === 'absolute';
    const minute = from + (byMouse ? ((clientY - top) / height) * (to - from) : 0);
    const start = starts.findLast(({ debut }) => minuteOf(timeOf(debut)) <= minute) ?? starts[0];
    onGap({ day, debut: start.debut, ressource: member?.id });
  };
  const left = t('places', { n: places });
  const label = t('gapLabel', { from: clock(from), to: clock(to), places: left });
  return html`
    <button type="button" class="slot" data-key=${key} data-from=${from} aria-label=${label}
      tabindex=${key === stop ? 0 : -1} onClick=${choose}>
      <span>${clock(from)} – ${clock(to)}</span>
      <small>
        <${Icon} name="plus" /><span class="label">${places > 1 ? left : t('free')}</span>
      </small>
    </button>`;
}

/**
 * A booking, or a course with its customers.
 * @param {{ block: BookedBlock, member?: Ressource, stop: string,
 *   onBlock: Draw['onBlock'] }} props
 */
export function BlockButton({ block, member, stop, onBlock }) {
  const { key, from, reservations, places, free, course } = block;
  const [first] = reservations;
  const alone = reservations.length === 1;
  const asked = reservations.some(({ statut }) => statut === 'demandee');
  const statut = asked ? 'demandee' : alone ? first.statut : 'confirmee';
  const others = [first.ressource, first.lieu]
    .filter((one) => one && one.id !== member?.id)
    .map((one) => one?.nom);
  const left = free > 0 && course && ` · ${t('placesLeft', { n: free })}`;
  return html`
    <button type="button" class="slot ${statut}" data-key=${key} data-from=${from}
      tabindex=${key === stop ? 0 : -1} onClick=${() => onBlock(block)}>
      <span>
        <span class="at">
          ${timeOf(first.debut)}<span class="end"> – ${timeOf(first.fin)}</span>
        </span>
        ${' '}<b>${alone ? nameOf(first.client) : t('people', { n: places })}</b>
      </span>
      <small>${dotted(first.prestation.nom, ...others)}${left}</small>
      ${statut !== 'confirmee' && html`<small class="what">${t(statut)}</small>`}
    </button>`;
}
