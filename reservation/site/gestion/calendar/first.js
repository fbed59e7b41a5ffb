// The first steps of a new owner, shown until the business has a service, weekly hours and a
// booking. Also a note about messages that are held.
import { get, session } from '../../api.js';
import { useLoad } from '../../parts/load.js';
import { Icon, Note } from '../../parts/page.js';
import { t } from '../../texts/calendar.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';

/** @import { Compte, Entreprise, Ressource } from '../../types.js' */
/** @import { CalendarDays } from './reading.js' */

/** Whether the messages of a business wait until the owner's address is proven. */
const HOLDS = 'holds' in document.documentElement.dataset;

/** @param {{ entreprise: Entreprise }} props */
export function Unconfirmed({ entreprise: { proprietaireId } }) {
  const holds = HOLDS && session.get()?.user.id === proprietaireId;
  /** @returns {Promise<Compte | null>} */
  const read = async () => (holds ? get('api/compte') : null);
  const { value } = useLoad(read, []);
  if (value?.emailProuve ?? true) return null;
  return html`
    <${Note} tone="warn" icon="mail"><a href="compte">${t('confirmFirst')}</a><//>`;
}

/**
 * Stays until the user leaves the page: hiding the steps would shift the calendar.
 * @param {{ entreprise: Entreprise, team: Ressource[], calendar: CalendarDays }} props
 */
export function FirstSteps({ entreprise, team, calendar: { services, hours, untouched } }) {
  const { id, metiers } = entreprise;
  const open = hours.length > 0;
  const [shown] = useState(!services.length || !open || untouched);
  if (!shown) return null;
  const steps = /** @type {const} */ ([
    ['prestations', services.length > 0, 'firstService'],
    ['horaires', open, 'firstHours'],
    ['etablissement', metiers.length > 0, 'firstTrade'],
    ['equipe', team.length > 0, 'firstTeam'],
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
