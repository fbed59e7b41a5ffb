// The legend of the colours, and the choice to colour bookings by service or by person.
import { t } from '../../../texts/calendar.js';
import { html } from '../../../vendor/htm-3.1.1.js';

/** @import { ColouredBy } from './hues.js' */

/**
 * @param {{ items: { id: number, nom: string, hue: number }[], by: ColouredBy, choice: boolean,
 *   onChange: (by: ColouredBy) => void }} props
 */
export function Legend({ items, by, choice, onChange }) {
  if (!items.length) return null;
  /** @param {{ target: HTMLSelectElement }} event */
  const change = ({ target }) => onChange(/** @type {ColouredBy} */ (target.value));
  const select = html`
    <label class="filter labelled">
      <span>${t('colours')}</span>
      <select value=${by} onChange=${change}>
        <option value="prestation">${t('byService')}</option>
        <option value="ressource">${t('byPerson')}</option>
      </select>
    </label>`;
  return html`
    <div class="hues">
      ${choice && select}
      <ul>
        ${items.map(({ id, nom, hue }) => html`<li key=${id} class="hue-${hue}">${nom}</li>`)}
      </ul>
    </div>`;
}
