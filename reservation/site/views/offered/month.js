// The free days of a month, and the free times of the chosen day.
import { get } from '../../api.js';
import {
  dayOf,
  firstOfMonth,
  longDay,
  monthName,
  plusDays,
  shortWeekday,
  timeOf,
  today,
  WEEKDAYS,
  weekday,
} from '../../dates.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { OtherClock } from '../../parts/names.js';
import { Button, Empty } from '../../parts/page.js';
import { Times } from '../../parts/times.js';
import { t } from '../../texts/booking.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';

/** @import { TimesOf } from '../../parts/times.js' */
/** @import { Start } from '../../types.js' */
/** @import { FreeDay } from './types.js' */

/** @type {['morning' | 'afternoon' | 'evening', string, string][]} */
const PARTS = [
  ['morning', '00:00', '12:00'],
  ['afternoon', '12:00', '18:00'],
  ['evening', '18:00', '24:00'],
];

/**
 * Shows a month to choose a day from. `day` is the chosen day.
 * @param {TimesOf & { day: string, onDay: (day: string) => void }} props
 */
export function Month({ day, onDay, ...of }) {
  const { entreprise, prestation, person } = of;
  const now = today(entreprise.fuseau);
  const [first, setFirst] = useState(firstOfMonth(day > now ? day : now));
  const last = plusDays(firstOfMonth(first, 1), -1);
  const path = `api/entreprises/${entreprise.id}`;
  const service = { prestation: prestation.id, ressource: person?.id };
  const query = { ...service, du: first > now ? first : now, au: last };
  const causes = [entreprise.id, prestation.id, person?.id];
  const free = useLoad(() => get(`${path}/jours`, query), [...causes, first]);
  const times = useLoad(
    async () => (day >= now ? get(`${path}/creneaux`, { ...service, du: day, au: day }) : []),
    [...causes, day],
  );
  return html`
    <div class="spread">
      <h3 aria-live="polite">${monthName(first)}</h3>
      <div class="row">
        <${Button} icon="left" class="round" aria-label=${t('previousMonth')}
          aria-disabled=${first <= now}
          onClick=${() => first > now && setFirst(firstOfMonth(first, -1))} />
        <${Button} icon="right" class="round" aria-label=${t('nextMonth')}
          onClick=${() => setFirst(firstOfMonth(first, 1))} />
      </div>
    </div>
    <div>
      <${Loaded} from=${free} lines=${3}>${(/** @type {FreeDay[]} */ days) => html`
        <div inert=${free.waiting}>
          <${Grid} ...${{ first, last, days, day, onDay }} />
          ${!days.length && html`<${Empty} role="status">${t('nothingThisMonth')}<//>`}
        </div>`}<//>
    </div>
    <div>
      <${Loaded} from=${times} lines=${1}>${(/** @type {Start[]} */ starts) => html`
        <div class="stack" inert=${times.waiting}>
          <${OtherClock} starts=${starts} zone=${entreprise.fuseau} />
          <${OfDay} ...${of} starts=${starts} />
        </div>`}<//>
    </div>`;
}

/**
 * @param {{ first: string, last: string, days: FreeDay[], day: string,
 *   onDay: (day: string) => void }} props
 */
function Grid({ first, last, days, day, onDay }) {
  const length = Number(last.slice(8));
  const free = new Map(days.map(({ jour, libres }) => [jour, libres]));
  return html`
    <div class="month muted small" aria-hidden="true">
      ${WEEKDAYS.map((n) => html`<span>${shortWeekday(plusDays('2024-01-07', n))}</span>`)}
    </div>
    <ol class="month">
      ${Array.from({ length }, (_, n) => {
        const one = plusDays(first, n);
        const count = free.get(one) ?? 0;
        const label = count ? t('freeDay', { day: longDay(one), n: count }) : longDay(one);
        return html`
          <li key=${one} style=${n ? {} : { gridColumnStart: weekday(first) }}>
            <${Button} class="day" aria-label=${label} aria-pressed=${one === day}
              disabled=${!count} onClick=${() => onDay(one)}>${n + 1}<//>
          </li>`;
      })}
    </ol>`;
}

/** @param {TimesOf & { starts: Start[] }} props */
function OfDay({ starts, ...of }) {
  if (!starts.length) return null;
  return html`
    <div class="stack" role="group" aria-label=${longDay(dayOf(starts[0].debut))}>
      ${PARTS.map(([part, from, to]) => {
        const within = starts.filter(({ debut }) => {
          const time = timeOf(debut);
          return time >= from && time < to;
        });
        return (
          within.length > 0 &&
          html`
          <div class="stack tight part" key=${part}>
            <h4 class="label">${t(part)}</h4>
            <${Times} ...${of} starts=${within} />
          </div>`
        );
      })}
    </div>`;
}
