// The day and the time of a new booking: the free times, and the fields to choose one.
import { get } from '../../../api.js';
import { capital, dayOf, longDay, timeOf } from '../../../dates.js';
import { Trouble, useLoad } from '../../../parts/load.js';
import { t } from '../../../texts/gestion.js';
import { html, useState } from '../../../vendor/htm-3.1.1.js';
import { pathOf } from '../../frame.js';
import { wallOf } from '../spans.js';

/** @import { Entreprise, Load, Prestation, Ressource, Start } from '../../../types.js' */
/** @import { Wanted } from './booking.js' */

/** @typedef {ReturnType<typeof useTimes>} Times */

/**
 * Reads the free times of a day. Returns the day and the time that the user wants (`wanted`), the
 * free times of that day (`free`), and the time to book (`start`).
 * @param {Entreprise} entreprise
 * @param {Prestation} prestation
 * @param {Ressource | undefined} person
 * @param {Wanted} at
 */
export function useTimes(entreprise, prestation, person, at) {
  /** @type {Pick<Wanted, 'day' | 'debut'>} */
  const initial = { day: at.day, debut: at.debut };
  const [wanted, setWanted] = useState(initial);
  const day = { du: wanted.day, au: wanted.day };
  const query = { prestation: prestation.id, ...day, ressource: person?.id, lieu: at.lieu };
  const path = `${pathOf(entreprise.id)}/creneaux/internes`;
  /** @type {Load<Start[]>} */
  const starts = useLoad(() => get(path, query), [path, JSON.stringify(query)]);
  // `starts.value` can belong to another day or person while `starts` is loading or after an error.
  const free = starts.waiting || starts.error ? [] : (starts.value ?? []);
  return { wanted, setWanted, starts, free, start: nearest(free, wanted.debut) };
}

/**
 * Returns the slot at `debut`, or else the first slot at a later time of day. Without `debut`,
 * returns the first slot that has not begun. If there is no such slot, returns the last slot of the
 * day, unless it has begun.
 * @param {Start[]} starts
 * @param {string} [debut]
 * @returns {Start | undefined}
 */
function nearest(starts, debut) {
  const coming = starts.filter((one) => Date.parse(one.debut) >= Date.now());
  const later = debut ? starts.filter((one) => wallOf(one.debut) >= wallOf(debut)) : coming;
  return starts.find((one) => one.debut === debut) ?? later[0] ?? coming.at(-1);
}

/** @param {{ times: Times, wrong?: string }} props */
export function When({ times: { wanted, setWanted, starts, free, start }, wrong }) {
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
          aria-invalid=${wrong ? 'true' : undefined}
          aria-describedby=${starts.error ? 'booking-time-trouble' : 'booking-time-hint'}
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
    </div>
    ${
      starts.error &&
      html`
      <div id="booking-time-trouble">
        <${Trouble} error=${starts.error} again=${starts.again} />
      </div>`
    }`;
}

/**
 * @param {Load<Start[]>} starts
 * @param {Start | undefined} start
 * @param {Wanted} wanted
 */
function timeHint(starts, start, { debut }) {
  if (starts.waiting) return t('loading');
  if (starts.error) return '';
  if (!start) return t(starts.value?.length ? 'onlyPast' : 'nothingThatDay');
  const moved = debut && wallOf(start.debut) !== wallOf(debut);
  if (moved) return t('nearestTime', { time: timeOf(debut) });
  const begun = Date.parse(start.debut) < Date.now();
  return begun ? t('dropPast') : capital(longDay(dayOf(start.debut)));
}
