// Who has a free time: on one day, or as soon as possible, day by day.
import { get, page, remember } from '../api.js';
import {
  capital,
  dayOf,
  dotted,
  isDay,
  length,
  nearDay,
  plusDays,
  price,
  today,
} from '../dates.js';
import { Loaded, More, Trouble, useLoad, usePages } from '../parts/load.js';
import { Icon, Waiting } from '../parts/page.js';
import { Times } from '../parts/times.js';
import { t } from '../texts/booking.js';
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';
import { searchOf } from './search.js';

/** @import { ListPage, Query } from '../api.js' */
/** @import { Entreprise, Offer, Start } from '../types.js' */
/** @typedef {{ q: string, ville: string }} Search */

const DAYS = 14; // that are searched before the visitor asks for more
const MOST = 20; // businesses of a page of the list
const ENOUGH = 6; // businesses that are shown before the visitor asks for more

/** @param {{ query: URLSearchParams }} props */
export function Results({ query }) {
  const [q, ville, jour] = ['q', 'ville', 'jour'].map((name) => query.get(name) ?? '');
  const what = q || t('allServices');
  const title = ville ? t('inCity', { what, city: ville }) : what;
  useEffect(() => {
    document.title = `${t('resultsFor', { what: title })} · ${t('brand')}`;
  });
  return html`
    <section class="page wide results" aria-labelledby="results">
      <h2 id="results">${title}</h2>
      <${isDay(jour) ? OneDay : Soonest} key=${query.toString()} search=${{ q, ville }} day=${jour} />
    </section>`;
}

/**
 * Reads a page of the businesses with a free time on a day.
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
  const pages = usePages((more) => offersOf(search, day, more), []);
  /** @param {string} text @param {string} [other] */
  const link = (text, other) =>
    html`<a class="button small" href=${searchOf(q, ville, other)}>${text}</a>`;
  return html`
    <div class="spread">
      <h3>${capital(nearDay(day))}</h3>
      <div class="row">
        ${day > today() && link(t('previousDay'), plusDays(day, -1))}
        ${link(t('nextDay'), plusDays(day, 1))}${link(t('asSoonAsPossible'))}
      </div>
    </div>
    <${Loaded} from=${pages.list}>${(/** @type {ListPage<Offer>} */ { items, next }) => html`
      <${Count} n=${items.length} />
      <${Offers} offers=${items} />
      ${
        !items.length &&
        !next &&
        html`
        <div class="empty"><p>${t('nothingThatDay')}</p></div>`
      }
      <${More} pages=${pages} label=${t('moreBusinesses')} />`}<//>`;
}

/**
 * What `Soonest` knows: the offers of each day, and where its search goes on.
 * @typedef {object} Found
 * @property {{ day: string, offers: Offer[] }[]} days
 * @property {Entreprise[]} matching up to ENOUGH businesses, with or without free times
 * @property {string} day the next day to search
 * @property {Query | null} more the rest of that day
 */

/**
 * Searches day after day until there are enough further businesses. Each business is shown on
 * the first day on which it has a free time.
 * @param {Search} search
 * @param {Found} [before]
 * @returns {Promise<Found>}
 */
async function searchOn(search, before) {
  const matching =
    before?.matching ?? (await get('api/entreprises', { ...search, limite: ENOUGH }));
  const days = [...(before?.days ?? [])];
  const seen = new Set(days.flatMap(({ offers }) => offers.map(({ id }) => id)));
  const enough = seen.size + Math.min(ENOUGH, matching.length);
  let day = before?.day ?? today();
  let more = before?.more ?? null;
  const until = plusDays(day, DAYS);
  while (matching.length && seen.size < enough && day <= until) {
    const { items, next } = await offersOf(search, day, more);
    const offers = items.filter(({ id }) => !seen.has(id));
    if (offers.length) days.push({ day, offers });
    for (const { id } of offers) seen.add(id);
    if (next) return { days, matching, day, more: next };
    day = plusDays(day, 1);
    more = null;
  }
  return { days, matching, day, more };
}

/** @param {{ search: Search }} props */
function Soonest({ search }) {
  const [before, setBefore] = useState(/** @type {Found | undefined} */ (undefined));
  const found = useLoad(() => searchOn(search, before), [before]);
  const { days, matching, more } = found.value ?? { days: [], matching: [], more: null };
  const n = days.reduce((sum, { offers }) => sum + offers.length, 0);
  const done = !found.waiting && !found.error;
  return html`
    ${n > 0 && html`<${Count} n=${n} />`}
    ${days.map(
      ({ day, offers }) => html`
      <h3>${capital(nearDay(day))}</h3><${Offers} offers=${offers} />`,
    )}
    ${
      done &&
      !matching.length &&
      html`
      <div class="empty" role="status"><p>${t('nobody')}</p></div>`
    }
    ${done && matching.length > 0 && !n && html`<${Matching} entreprises=${matching} />`}
    ${found.waiting && html`<${Waiting} lines=${n ? 1 : 3} />`}
    ${found.error && html`<${Trouble} error=${found.error} again=${found.again} />`}
    ${
      done &&
      matching.length >= Math.min(n + 1, ENOUGH) &&
      html`
      <div>
        <button type="button" onClick=${() => setBefore(found.value)}>
          ${t(more ? 'moreBusinesses' : 'laterDays')}
        </button>
      </div>`
    }`;
}

/** @param {{ entreprises: Entreprise[] }} props */
const Matching = ({ entreprises }) => html`
  <p role="status">${t('nothingSoon')}</p>
  <ul class="cards">
    ${entreprises.map(
      ({ id, nom, ville }) => html`
      <li>
        <article class="card link">
          <h3><a href="entreprises/${id}">${nom}</a></h3><p class="muted">${ville}</p>
        </article>
      </li>`,
    )}
  </ul>`;

/** @param {{ n: number }} props */
const Count = ({ n }) => html`<p class="muted" role="status">${t('found', { n })}</p>`;

/** @param {{ offers: Offer[] }} props */
const Offers = ({ offers }) => html`
  <ul class="stack">
    ${offers.map((offer) => html`<li key=${offer.id}><${OfferCard} offer=${offer} /></li>`)}
  </ul>`;

const FEW = 8; // times of a card

/** The card of a business: its first time, and the other times of that day once it is visible. */
/** @param {{ offer: Offer }} props */
function OfferCard({ offer }) {
  const { prochainCreneau: first, ...entreprise } = offer;
  const { prestation } = first;
  const { id, nom, adresse, ville } = entreprise;
  const card = useRef(/** @type {Element | null} */ (null));
  const [starts, setStarts] = useState(/** @type {Start[]} */ ([first]));
  const day = dayOf(first.debut);
  useEffect(() => {
    const observer = new IntersectionObserver(async ([entry]) => {
      if (!entry.isIntersecting) return;
      observer.disconnect();
      const query = { prestation: prestation.id, du: day, au: day };
      const all = await get(`api/entreprises/${id}/creneaux`, query).catch(() => []);
      if (all.length) setStarts(all);
    });
    if (card.current) observer.observe(card.current);
    return () => observer.disconnect();
  }, []);
  const url = `entreprises/${id}?${new URLSearchParams({ prestation: `${prestation.id}`, semaine: day })}`;
  const keep = () => remember(`api/entreprises/${id}`, entreprise);
  return html`
    <article class="card offer" ref=${card}>
      <div class="stack tight">
        <h3><a href=${url} onClick=${keep}>${nom}</a></h3>
        <p class="with-icon muted small">
          <${Icon} name="pin" />${[adresse, ville].filter(Boolean).join(', ')}
        </p>
        <p>
          <strong>${prestation.nom}</strong>${' '}
          <span class="muted">
            ${dotted(length(prestation.dureeMinutes), price(prestation.prixCentimes))}
          </span>
        </p>
      </div>
      <div class="stack tight">
        <${Times} ...${{ entreprise, prestation }} starts=${starts.slice(0, FEW)} />
        ${
          starts.length > FEW &&
          html`
          <a class="small" href=${url} aria-label=${`${t('moreTimes')}, ${nom}`}>
            ${t('moreTimes')}
          </a>`
        }
      </div>
    </article>`;
}
