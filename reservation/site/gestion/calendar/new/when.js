// The fields for the day and the time of a booking.
import { capital, dayOf, longDay, timeOf } from '../../../dates.js';
import { t } from '../../../texts/gestion.js';
import { html } from '../../../vendor/htm-3.1.1.js';
import { wallOf } from '../spans.js';

/** @import { Load, Start } from '../../../types.js' */
/** @import { DetailsProps, Wanted } from './booking.js' */

/**
 * @param {Pick<DetailsProps, 'wanted' | 'setWanted' | 'starts' | 'free' | 'start'>
 *   & { wrong?: string }} props
 */
export function When({ wanted, setWanted, starts, free, start, wrong }) {
  /** @param {{ target: HTMLInputElement }} event */
  const changeDay = ({ target }) => target.value && setWanted({ day: target.value });
  /** @param {{ target: HTMLSelectElement }} event */
  const changeTime = ({ target }) => {
    const { debut } = free.find(({ id }) => String(id) === target.value) ?? {};
    setWanted({ ...wanted, debut });
  };
  return html`
    <div class="two">
      <div class="field">
        <label for="booking-day">${t('day')}</label>
        <input id="booking-day" type="date" value=${wanted.day} onChange=${changeDay} />
      </div>
      <div class="field">
        <label for="booking-time">${t('time')}</label>
        <select id="booking-time" name="start" required value=${start ? start.id : ''}
          aria-invalid=${wrong ? 'true' : undefined} aria-describedby="booking-time-hint"
          onChange=${changeTime}>
          ${!start && html`<option value="">–</option>`}
          ${free.map(
            ({ id, debut }) => html`
            <option key=${id} value=${id}>${timeOf(debut)}</option>`,
          )}
        </select>
        <p class="hint" id="booking-time-hint" aria-live="polite">
          ${timeHint(starts, start, wanted)}
        </p>
      </div>
    </div>`;
}

/**
 * @param {Load<Start[]>} starts
 * @param {Start | undefined} start
 * @param {Wanted} wanted
 */
function timeHint(starts, start, { debut }) {
  if (starts.waiting) return t('loading');
  if (starts.error) return t('offline');
  if (!start) return t('nothingThatDay');
  const moved = debut && wallOf(start.debut) !== wallOf(debut);
  return moved ? t('nearestTime', { time: timeOf(debut) }) : capital(longDay(dayOf(start.debut)));
}
