// The free times of a service in one week, and buttons for other weeks.
import { get } from '../api.js';
import {
  capital,
  dateTime,
  dayOf,
  isDay,
  longDay,
  plusDays,
  shortDate,
  shortDay,
  shortWeekday,
  today,
} from '../dates.js';
import { page } from '../lists/reading.js';
import { t } from '../texts/booking.js';
import { html, useState } from '../vendor/htm-3.1.1.js';
import { Loaded, useLoad } from './load.js';
import { OtherClock } from './names.js';
import { Button, Empty } from './page.js';
import { Times } from './times.js';

/** @import { Query } from '../api.js' */
/** @import { Reservation, Start } from '../types.js' */
/** @import { TimesOf } from './times.js' */

const FEW = 6; // number of times per day that are shown at first

/**
 * Shows the week that begins on `from`, or today if `from` is past or beyond the year 9998. The
 * buttons call `onWeek` with the first day of a week.
 * With `moved`, shows the times to which this booking can be moved. Reads the times again if
 * `round` changes.
 * @param {TimesOf & { moved?: Reservation, round?: number, from: string,
 *   onWeek: (day: string) => void }} props
 */
export function Week({ moved, round, from, onWeek, ...of }) {
  const { entreprise, prestation, person } = of;
  const now = today(entreprise.fuseau);
  const first = from > now && isDay(plusDays(from, 7)) ? from : now;
  const last = plusDays(first, 6);
  const path = moved ? `api/reservations/${moved.id}` : `api/entreprises/${entreprise.id}`;
  const week = useLoad(async () => {
    const service = { prestation: moved ? '' : prestation.id, ressource: person?.id };
    /** @type {Start[]} */
    const starts = await get(`${path}/creneaux`, { ...service, du: first, au: last });
    const later = { ...service, du: plusDays(last, 1), prochain: 1 };
    const next = starts.length ? null : await firstFree(`${path}/creneaux`, later);
    return { starts, next, of: first };
  }, [path, moved?.version, prestation.id, person?.id, first, round]);
  const earlier = plusDays(first, -7);
  return html`
    <div class="spread">
      <h3 aria-live="polite">${t('weekFrom', { from: shortDate(first), to: shortDate(last) })}</h3>
      <div class="row">
        <${Button} icon="left" class="round" aria-label=${t('previousWeek')}
          aria-disabled=${first <= now}
          onClick=${() => first > now && onWeek(earlier > now ? earlier : now)} />
        <${Button} icon="right" class="round" aria-label=${t('nextWeek')}
          onClick=${() => onWeek(plusDays(first, 7))} />
      </div>
    </div>
    <${Loaded} from=${week} lines=${2}>${(
      /** @type {NonNullable<typeof week.value>} */ shown,
    ) => html`
      <${OtherClock} starts=${shown.starts} zone=${entreprise.fuseau} />
      ${!shown.starts.length && html`<${Nothing} next=${shown.next} onWeek=${onWeek} />`}
      <div class="days" inert=${week.waiting}>
        <${Days} key=${shown.of} first=${shown.of} starts=${shown.starts} ...${of} />
      </div>`}<//>`;
}

/**
 * Returns the first free time, or null if there is none. If a search takes too long, the API
 * returns an empty page, so this function may have to read several pages.
 * @param {string} path
 * @param {Query} query
 * @returns {Promise<Start | null>}
 */
export async function firstFree(path, query) {
  const { items, next } = await page(path, query);
  return items[0] ?? (next && firstFree(path, { ...query, ...next }));
}

/** @param {TimesOf & { first: string, starts: Start[] }} props */
function Days({ first, starts, ...of }) {
  const [all, setAll] = useState(false);
  if (!starts.length) return null;
  const days = Array.from({ length: 7 }, (_, n) => {
    const day = plusDays(first, n);
    return { day, free: starts.filter((start) => dayOf(start.debut) === day) };
  });
  const toggle = html`
    <${Button} class="small" aria-expanded=${all} onClick=${() => setAll(!all)}>
      ${t(all ? 'showFewerTimes' : 'showAllTimes')}
    <//>`;
  return html`
    <ol class="week">
      ${days.map(
        ({ day, free }) => html`
        <li class=${free.length ? '' : 'none'}>
          <h4>
            <span aria-hidden="true">${shortWeekday(day)} <b>${shortDay(day)}</b></span>
            <span class="unseen">${longDay(day)}</span>
          </h4>
          ${!free.length && html`<p class="muted" aria-hidden="true">–</p>`}
          <${Times} ...${of} starts=${all ? free : free.slice(0, FEW)} />
        </li>`,
      )}
    </ol>
    <div class="center">${days.some(({ free }) => free.length > FEW) && toggle}</div>`;
}

/** @param {{ next: Start | null, onWeek: (day: string) => void }} props */
function Nothing({ next, onWeek }) {
  if (!next) return html`<${Empty} role="status">${t('nothingAhead')}<//>`;
  const action = html`
    <${Button} class="main" onClick=${() => onWeek(dayOf(next.debut))}>
      ${capital(t('nextFree', { when: dateTime(next.debut) }))}
    <//>`;
  return html`<${Empty} role="status" action=${action}>${t('nothingThisWeek')}<//>`;
}
