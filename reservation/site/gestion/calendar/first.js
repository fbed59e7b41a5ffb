// The first steps of a new owner, shown until the business has a service, weekly hours and a
// booking.
import { Icon } from '../../parts/page.js';
import { t } from '../../texts/calendar.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';

/** @import { Entreprise } from '../../types.js' */
/** @import { CalendarDays } from './reading.js' */

/**
 * Once shown, the steps stay after the first booking, so that the calendar below does not jump.
 * @param {{ entreprise: Entreprise, calendar: CalendarDays }} props
 */
export function FirstSteps({ entreprise: { id }, calendar: { services, hours, untouched } }) {
  const open = hours.length > 0;
  const [shown] = useState(!services.length || !open || untouched);
  if (!shown) return null;
  const steps = /** @type {const} */ ([
    ['prestations', services.length > 0, 'firstService'],
    ['horaires', open, 'firstHours'],
    ['equipe', false, 'firstTeam'],
    ['partager', false, 'firstShare'],
  ]);
  return html`
    <section class="card stack first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">${t('firstSteps')}</h2>
      <ol>
        ${steps.map(
          ([page, done, text]) => html`
          <li class=${done ? 'done' : ''}>
            ${
              done
                ? html`<span class="with-icon"><${Icon} name="check" />${t(text)}
                    <span class="unseen">${t('stepDone')}</span></span>`
                : html`<a href="gestion/${id}/${page}">${t(text)}</a>`
            }
          </li>`,
        )}
      </ol>
    </section>`;
}
