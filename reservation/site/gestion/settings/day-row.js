// A row for one day of the weekly hours. The row shows a bar of the open times and a list of the
// openings.
import { capital, dotted, endOf, minuteOf, weekdayName } from '../../dates.js';
import { Button } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { Opening, Prestation } from '../../types.js' */
/** @typedef {{ from: number, to: number }} Range */

/** @param {Opening} opening @param {Range} range */
const placeOf = (opening, { from, to }) => ({
  '--from': (minuteOf(opening.debut) - from) / (to - from),
  '--length': (endOf(opening) - minuteOf(opening.debut)) / (to - from),
});

/**
 * @param {{ day: number, openings: Opening[], range: Range, prestations: Prestation[],
 *   wrong: boolean, onOpen: (opening?: Opening) => void, onCopy: () => void }} props
 */
export function DayRow({ day, openings, range, prestations, wrong, onOpen, onCopy }) {
  const name = weekdayName(day);
  /** @param {Opening} opening */
  const details = ({ pasMinutes, capacite, prestationId }) =>
    dotted(
      t('everyMinutes', { n: pasMinutes }),
      capacite > 1 && t('places', { n: capacite }),
      prestations.find(({ id }) => id === prestationId)?.nom,
    );
  return html`
    <tr class=${wrong ? 'wrong' : ''}>
      <th scope="row">${capital(name)}</th>
      <td>
        <div class="bar" aria-hidden="true" style=${{ '--hours': (range.to - range.from) / 120 }}>
          ${openings.map(
            (one) => html`
            <i style=${placeOf(one, range)} class=${one.prestationId ? 'kept' : ''} />`,
          )}
        </div>
        <ul class="openings">
          ${openings.map(
            (one) => html`
            <li>
              <${Button} class="small" onClick=${() => onOpen(one)}>
                <span class="unseen">${capital(name)} </span>${one.debut} – ${one.fin}
                <small>${details(one)}</small>
              <//>
            </li>`,
          )}
          ${!openings.length && html`<li class="muted">${t('closed')}</li>`}
        </ul>
      </td>
      <td>
        <${Button} icon="plus" class="small" aria-label=${t('addOpeningOf', { day: name })}
          onClick=${() => onOpen()} />
        <${Button} icon="copy" class="small" aria-label=${t('copyOf', { day: name })}
          onClick=${onCopy} />
      </td>
    </tr>`;
}
