// The bar above the calendar, with controls for the days and the view, and buttons that add a
// booking or close a day.
import { capital, isDay, longDay } from '../../dates.js';
import { Button } from '../../parts/page.js';
import { setQuery } from '../../router.js';
import { t } from '../../texts/calendar.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { VNode } from '../../vendor/htm-3.1.1.js' */

export const VIEWS = /** @type {const} */ (['jour', 'semaine', 'mois', 'liste']);

/** @typedef {(typeof VIEWS)[number]} View */

const UNITS = /** @type {const} */ ({ jour: 'Day', semaine: 'Week', mois: 'Month', liste: 'Week' });

/**
 * `label` is the heading. A printed day has its date instead, because `label` may be "Aujourd’hui".
 * The buttons "previous" and "next" lead to the days `before` and `after`.
 * @typedef {object} Moves
 * @property {View} vue
 * @property {string} day
 * @property {string} label
 * @property {string} before
 * @property {string} after
 * @property {VNode | false} [filter]
 */

/** @param {Moves & { onNew: () => void, onClosing: false | (() => void) }} props */
export function Toolbar({ vue, day, label, before, after, filter, onNew, onClosing }) {
  /** @param {{ target: HTMLInputElement }} event */
  const change = ({ target }) => isDay(target.value) && setQuery({ jour: target.value });
  const closing = html`
    <${Button} icon="closed" class="small closing" aria-label=${t('closeDay')} onClick=${onClosing}>
      <span>${t('closeDay')}</span>
    <//>`;
  return html`
    <div class="spread toolbar">
      <div class="row">
        <${Button} icon="left" class="round" aria-label=${t(`previous${UNITS[vue]}`)}
          onClick=${() => setQuery({ jour: before })} />
        <${Button} icon="right" class="round" aria-label=${t(`next${UNITS[vue]}`)}
          onClick=${() => setQuery({ jour: after })} />
        <h2 aria-live="polite">${label}</h2>
        ${vue === 'jour' && html`<p class="printed">${capital(longDay(day))}</p>`}
        ${onClosing && closing}
      </div>
      <${Button} icon="plus" class="main small" onClick=${onNew}>${t('newBooking')}<//>
      <div class="row">
        <div class="views" role="group" aria-label=${t('view')}>
          ${VIEWS.map(
            (one) => html`
            <${Button} aria-pressed=${one === vue}
              onClick=${() => setQuery({ vue: one, jour: day })}>${t(`view_${one}`)}<//>`,
          )}
        </div>
        ${filter}
        <${Button} class="small" onClick=${() => setQuery({ jour: '' })}>${t('toToday')}<//>
        <label class="goto">
          <span class="unseen">${t('goToDay')}</span>
          <input type="date" value=${day} onChange=${change} />
        </label>
      </div>
    </div>`;
}
