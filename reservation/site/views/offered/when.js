// The first free time of a service, and its free times by week or by month.
import { dateTime, dotted, length, price, today } from '../../dates.js';
import { Trouble, useLoad } from '../../parts/load.js';
import { Button, Icon } from '../../parts/page.js';
import { freeAt } from '../../parts/people.js';
import { bookingOf } from '../../parts/times.js';
import { firstFree, Week } from '../../parts/week.js';
import { setQuery } from '../../router.js';
import { t } from '../../texts/booking.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Month } from './month.js';

/** @import { TimesOf } from '../../parts/times.js' */

/**
 * If `byMonth` is true, shows a month, and `day` is the chosen day. Otherwise, shows the week that
 * begins on `day`.
 * @param {TimesOf & { day: string, byMonth: boolean }} props
 */
export function When({ day, byMonth, ...of }) {
  const { prestation } = of;
  const onDay = (/** @type {string} */ chosen) => setQuery({ semaine: chosen });
  /** @param {'week' | 'month'} label @param {boolean} pressed @param {string} vue */
  const view = (label, pressed, vue) => html`
    <${Button} class="small" aria-pressed=${pressed} onClick=${() => setQuery({ vue })}>
      ${t(label)}
    <//>`;
  return html`
    <p class="muted">
      ${dotted(prestation.nom, length(prestation.dureeMinutes), price(prestation.prixCentimes))}
    </p>
    <${First} ...${of} />
    <div class="row views">
      ${view('week', !byMonth, '')}${view('month', byMonth, 'mois')}
    </div>
    ${
      byMonth
        ? html`<${Month} ...${of} day=${day} onDay=${onDay} />`
        : html`<${Week} ...${of} from=${day} onWeek=${onDay} />`
    }`;
}

/** A link to book the first free time. @param {TimesOf} props */
function First({ entreprise, prestation, people = [], person }) {
  const path = `api/entreprises/${entreprise.id}/creneaux`;
  const service = { prestation: prestation.id, ressource: person?.id };
  const query = { ...service, du: today(entreprise.fuseau), prochain: 1 };
  const first = useLoad(() => firstFree(path, query), [entreprise.id, prestation.id, person?.id]);
  if (first.error) return html`<${Trouble} error=${first.error} again=${first.again} />`;
  const start = first.value;
  if (start === undefined) return html`<div class="first" />`;
  if (!start) return null;
  const able = freeAt(start, people);
  const avec = people.length ? (person?.id ?? (able.length === 1 ? able[0].id : 0)) : undefined;
  return html`
    <div class="first" inert=${first.waiting}>
      <a class="button main" href=${bookingOf(entreprise, prestation, start, avec)}>
        <${Icon} name="bolt" />${t('firstTime', { when: dateTime(start.debut) })}
      </a>
    </div>`;
}
