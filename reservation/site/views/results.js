// Search results: businesses with a free time on the chosen day. If no day is chosen, the search
// goes from day to day, beginning today.
import { get } from '../api.js';
import { capital, isDay, nearDay, plusDays, today } from '../dates.js';
import { End, keepOpen, More, openPages, usePages } from '../lists/pages.js';
import { page } from '../lists/reading.js';
import { Loaded, Trouble, useLoad } from '../parts/load.js';
import { Button, Page, Waiting } from '../parts/page.js';
import { t } from '../texts/booking.js';
import { html, useEffect, useState } from '../vendor/htm-3.1.1.js';
import { ENOUGH, inCity, Matching, Near } from './near.js';
import { OfferCard } from './offer.js';
import { searchOf } from './search.js';

/** @import { Query } from '../api.js' */
/** @import { ListPage } from '../lists/reading.js' */
/** @import { Entreprise, Offer } from '../types.js' */
/** @typedef {import('./near.js').Search} Search */

const DAYS = 14; // a search ends this many days after its first day
const MOST = 20; // businesses per page

/** @param {{ query: URLSearchParams }} props */
export function Results({ query }) {
  const [q, ville, jour] = ['q', 'ville', 'jour'].map((name) => query.get(name) ?? '');
  const what = q || t('allServices');
  const title = ville ? `${what} ${inCity(ville)}` : what;
  const search = { q, ville };
  return html`
    <${Page} title=${title} tab=${t('resultsFor', { what: title })} size="wide results">
      ${
        isDay(jour)
          ? html`<${OneDay} day=${jour} search=${search} />`
          : html`<${Soonest} key=${query.toString()} search=${search} />`
      }
    <//>`;
}

/**
 * @param {Search} search
 * @param {string} day
 * @param {Query | null} [more]
 * @returns {Promise<ListPage<Offer>>}
 */
const offersOf = (search, day, more) =>
  page('api/entreprises', { ...search, disponible: day, limite: MOST, ...more });

/** @param {{ search: Search, day: string }} props */
function OneDay({ search, day }) {
  const { q, ville } = search;
  /** @param {string} text @param {string} [other] */
  const link = (text, other) =>
    html`<a class="button small" href=${searchOf(q, ville, other)}>${text}</a>`;
  return html`
    <div class="spread">
      <h2>${capital(nearDay(day))}</h2>
      <div class="row">
        ${day > today() && link(t('previousDay'), plusDays(day, -1))}
        ${link(t('nextDay'), plusDays(day, 1))}${link(t('asSoonAsPossible'))}
      </div>
    </div>
    <${OffersOf} key=${searchOf(q, ville, day)} search=${search} day=${day} />`;
}

/** @param {{ search: Search, day: string }} props */
function OffersOf({ search, day }) {
  const pages = usePages((more) => offersOf(search, day, more), []);
  return html`
    <${Loaded} from=${pages.list}>${(/** @type {ListPage<Offer>} */ { items, next }) => html`
      <${Count} n=${items.length} />
      <${Offers} offers=${items} />
      ${!items.length && !next && html`<${Near} search=${search} day=${day} />`}
      <${More} pages=${pages} label=${t('moreBusinesses')} />`}<//>`;
}

/**
 * The results of `searchOn` so far, and where to continue the search.
 * @typedef {object} Found
 * @property {{ day: string, offers: Offer[] }[]} days
 * @property {Entreprise[]} matching at most ENOUGH businesses, with or without free times
 * @property {string} day the day on which the search continues
 * @property {Query | null} more the query for the next page of `day`; if null, the search continues
 *   with the first page of `day`
 */

/**
 * Searches day by day, from today or from `before.day`. Lists each business only on its first free
 * day. Stops as soon as one of these is true:
 * - The number of businesses found by this call reaches the length of `Found.matching`.
 * - All days from the first day to DAYS days later have been searched.
 * - The API has another page of results for the current day.
 * - The search was left or begun again.
 * @param {Search} search
 * @param {Found | null} before
 * @param {(found: Found) => void} show is called after each request
 * @param {() => boolean} isWanted
 */
async function searchOn(search, before, show, isWanted) {
  const matching =
    before?.matching ?? (await get('api/entreprises', { ...search, limite: ENOUGH }));
  let found = { days: [], day: today(), more: null, ...before, matching };
  const seen = new Set(found.days.flatMap(({ offers }) => offers.map(({ id }) => id)));
  const enough = seen.size + matching.length;
  const until = plusDays(found.day, DAYS);
  while (seen.size < enough && found.day <= until) {
    const { day } = found;
    const { items, next } = await offersOf(search, day, found.more);
    const offers = items.filter(({ id }) => !seen.has(id));
    for (const { id } of offers) seen.add(id);
    const days = offers.length ? [...found.days, { day, offers }] : found.days;
    found = { days, matching, day: next ? day : plusDays(day, 1), more: next };
    show(found);
    if (next || !isWanted()) return;
  }
  show(found);
}

/**
 * Searches in rounds: each click on the button at the end starts another round. A round can be
 * repeated, because `searchOn` gets what was found before the round.
 * @param {{ search: Search }} props
 */
function Soonest({ search }) {
  const [found, setFound] = useState(/** @type {Found | null} */ (null));
  const [round, setRound] = useState(1);
  const reading = useLoad((isWanted) => searchOn(search, found, setFound, isWanted), [round]);
  const { days = [], matching = [], more } = found ?? {};
  const n = days.reduce((sum, { offers }) => sum + offers.length, 0);
  const done = !reading.waiting && !reading.error;
  useEffect(() => {
    if (done && round < openPages()) setRound(round + 1);
  }, [done]);
  const goOn = () => {
    keepOpen(round + 1);
    setRound(round + 1);
  };
  // The button stays while more results load, so that it keeps the focus.
  const stays = done || (reading.waiting && round > 1);
  const further = stays && matching.length >= Math.min(n + 1, ENOUGH);
  const none = matching.length
    ? html`<${Matching} entreprises=${matching} said=${t('nothingSoon')} />`
    : html`<${Near} search=${search} />`;
  return html`
    ${n > 0 && html`<${Count} n=${n} />`}
    ${days.map(
      ({ day, offers }) => html`
      <h2>${capital(nearDay(day))}</h2><${Offers} offers=${offers} />`,
    )}
    ${done && !n && none}
    ${reading.waiting && html`<${Waiting} lines=${n ? 1 : 3} />`}
    <${Trouble} error=${reading.error} again=${reading.again} />
    <${End} shown=${further}>
      <${Button} aria-disabled=${!done} onClick=${() => done && goOn()}>
        ${t(more ? 'moreBusinesses' : 'laterDays')}
      <//>
    <//>`;
}

/** @param {{ n: number }} props */
const Count = ({ n }) => html`<p class="muted" role="status">${t('found', { n })}</p>`;

/** @param {{ offers: Offer[] }} props */
const Offers = ({ offers }) => html`
  <ul class="stack">
    ${offers.map((offer) => html`<li key=${offer.id}><${OfferCard} offer=${offer} /></li>`)}
  </ul>`;
