// The weekly hours of a business, and its upcoming events.
import { get } from '../api.js';
import {
  capital,
  dayOf,
  endOf,
  lastDayOf,
  longDay,
  minuteOf,
  plusDays,
  timeOf,
  today,
  WEEKDAYS,
  weekday,
  weekdayName,
} from '../dates.js';
import { page } from '../lists/reading.js';
import { Trouble, useLoad } from '../parts/load.js';
import { Icon, Waiting } from '../parts/page.js';
import { t } from '../texts/booking.js';
import { html } from '../vendor/htm-3.1.1.js';

/** @import { Entreprise, Evenement, EventType, Opening } from '../types.js' */
/** @import { ListPage } from '../lists/reading.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */

/**
 * Merges openings that touch or overlap. Returns texts such as "09:00 – 12:00".
 * @param {Opening[]} openings
 */
function stretches(openings) {
  /** @type {{ debut: string, fin: string }[]} */
  const found = [];
  for (const one of openings.toSorted((a, b) => a.debut.localeCompare(b.debut))) {
    const last = found.at(-1);
    if (!last || minuteOf(one.debut) > endOf(last)) found.push({ debut: one.debut, fin: one.fin });
    else if (endOf(one) > endOf(last)) last.fin = one.fin;
  }
  return found.map(({ debut, fin }) => `${debut} – ${fin}`);
}

/**
 * Shows the next events of the business, its weekly hours, and then `children`. Shows nothing
 * before all is loaded, so that no link moves under a click.
 * @param {{ entreprise: Entreprise, children?: VNode }} props
 */
export function About({ entreprise: { id, fuseau }, children }) {
  const path = `api/entreprises/${id}`;
  const { value, error, again } = useLoad(async () => {
    const hours = get(`${path}/semainetype`);
    const first = page(`${path}/evenements`, { du: today(fuseau), limite: 200 });
    const [openings, read] = await Promise.all([hours, first]);
    return { events: await notices(`${path}/evenements`, read, openings), openings };
  }, [id]);
  if (!value && !error) return html`<${Waiting} />`;
  return html`
    <${Trouble} error=${error} again=${again} />
    ${value && html`<${Events} ...${value} /><${Hours} ...${value} fuseau=${fuseau} />`}
    ${children}`;
}

/** @param {{ openings: Opening[], fuseau: string }} props */
function Hours({ openings, fuseau }) {
  const now = weekday(today(fuseau));
  return html`
    <section class="card stack">
      <h2>${t('openingHours')}</h2>
      <dl class="hours">
        ${WEEKDAYS.map(
          (day) => html`
          <div class=${day === now ? 'today' : ''}>
            <dt>${capital(weekdayName(day))}</dt>
            <dd><${Stretches} openings=${openings.filter(({ jour }) => jour === day)} /></dd>
          </div>`,
        )}
      </dl>
    </section>`;
}

/** @param {{ openings: Opening[] }} props */
const Stretches = ({ openings }) =>
  openings.length
    ? stretches(openings).map((one) => html`<span>${one}</span>`)
    : html`<span class="muted">${t('closed')}</span>`;

const MOST = 5; // maximum number of shown events
const MOST_PAGES = 5; // maximum number of requests for these events
const TONES = { fermeture: 'danger', ouverture: 'good', horaires: 'good', information: '' };

/** @param {{ type: EventType }} props */
export const EventBadge = ({ type }) =>
  html`<span class="badge ${TONES[type]}">${t(`event_${type}`)}</span>`;

/**
 * Returns the dates of an event, such as "lundi 3 août, de 09:00 à 12:00". Leaves out the times if
 * the event lasts whole days.
 * @param {Evenement} event
 */
export function datesOf(event) {
  const [first, last] = [dayOf(event.debut), lastDayOf(event)];
  const [from, end] = [timeOf(event.debut), timeOf(event.fin)];
  const to = end === '00:00' ? '24:00' : end;
  const whole = from === '00:00' && to === '24:00';
  if (first === last) {
    const day = longDay(first);
    return whole ? day : t('onDayBetween', { day, from, to });
  }
  /** @param {string} day @param {string} time */
  const at = (day, time) => (whole ? longDay(day) : t('dayAtTime', { day: longDay(day), time }));
  return t('betweenDays', { from: at(first, from), to: at(last, to) });
}

/**
 * Returns whether a closure covers all opening hours of a day. On a day without hours, it must
 * cover the day from midnight to midnight. Only the first two days are looked at: a closure that
 * covers a later day covers the second day too.
 * @param {Evenement} event
 * @param {Opening[]} openings
 */
function closesDay({ debut, fin }, openings) {
  const first = dayOf(debut);
  return [first, plusDays(first, 1)].some((day) => {
    const hours = openings.filter(({ jour }) => jour === weekday(day));
    const [from = '00:00'] = hours.map((one) => one.debut).sort();
    const to = hours.map((one) => (one.fin > one.debut ? one.fin : '24:00')).sort();
    const [start, end] = [`${day}T${from}`, `${day}T${to.at(-1) ?? '24:00'}`];
    return debut.slice(0, 16) <= start && end <= fin.slice(0, 16);
  });
}

/**
 * Returns the next events to show. Omits those of single persons and rooms, and closures of less
 * than a day. Visitors see such a closure as missing times, and its title may be private.
 * @param {string} path
 * @param {ListPage<Evenement>} first the first page of the list at `path`
 * @param {Opening[]} openings
 */
async function notices(path, first, openings) {
  /** @param {Evenement} event */
  const isNotice = (event) =>
    !event.ressourceId && (event.type !== 'fermeture' || closesDay(event, openings));
  const found = first.items.filter(isNotice);
  let { next } = first;
  for (let n = 1; next && n < MOST_PAGES && found.length < MOST; n += 1) {
    const read = await page(path, next);
    found.push(...read.items.filter(isNotice));
    next = read.next;
  }
  return found.slice(0, MOST);
}

/** @param {{ events: Evenement[] }} props */
function Events({ events }) {
  return (
    events.length > 0 &&
    html`
    <section class="card stack">
      <h2>${t('comingEvents')}</h2>
      <ul class="stack">
        ${events.map(
          (event) => html`
          <li class="stack tight">
            <div class="row"><b>${event.titre}</b><${EventBadge} type=${event.type} /></div>
            <p class="with-icon muted small">
              <${Icon} name="calendar" />${capital(datesOf(event))}
            </p>
            ${event.description && html`<p class="small">${event.description}</p>`}
          </li>`,
        )}
      </ul>
    </section>`
  );
}
