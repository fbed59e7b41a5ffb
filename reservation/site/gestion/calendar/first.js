// What the owner should do first, if the business has no services, no hours or no bookings.
import { Icon } from '../../parts/page.js';
import { t } from '../../texts/calendar.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';

/** @import { Entreprise } from '../../types.js' */
/** @import { CalendarDays } from './reading.js' */

/**
 * The first steps, which stay as long as the page is open: the calendar below must not jump up at
 * the first booking.
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
