// Suggestions for a search without results: businesses that match only part of the search.
import { get } from '../api.js';
import { Trouble, useLoad } from '../parts/load.js';
import { Empty, Waiting } from '../parts/page.js';
import { t } from '../texts/near.js';
import { html } from '../vendor/htm-3.1.1.js';
import { searchOf } from './search.js';

/** @import { Entreprise } from '../types.js' */
/** @typedef {{ q: string, ville: string }} Search */

export const ENOUGH = 6; // number of businesses that are shown at first

/**
 * Returns a city or postcode with a preposition: "à Lyon", "au Mans", "dans le 69003" or, in
 * English, "in Le Mans".
 * @param {string} city
 */
export const inCity = (city) =>
  t(/^\d+$/.test(city) ? 'inCode' : 'inCity', { city })
    .replace(/^à le (?=\S)/i, 'au ')
    .replace(/^à les (?=\S)/i, 'aux ');

/**
 * Returns broader searches for any day, best first. If the visitor chose a `day`, the first is the
 * visitor's own search without the day. `said` describes a search to the visitor.
 * @param {Search} search
 * @param {string} [day]
 * @returns {{ search: Search, said: () => string }[]}
 */
function relaxed({ q, ville }, day) {
  const words = q.split(/\s+/).filter((word) => word.length > 3);
  const single = words.length > 1 ? words.slice(0, 3) : [];
  const place = () => inCity(ville);
  const both = Boolean(q && ville);
  const searches = [
    Boolean(day) && { search: { q, ville }, said: () => t('nearOtherDay') },
    both && {
      search: { q, ville: '' },
      said: () => t('nearElsewhere', { what: q, inCity: place() }),
    },
    ...single.map((word) => ({
      search: { q: word, ville },
      said: () => t('nearWord', { all: q, what: word }),
    })),
    both && { search: { q: '', ville }, said: () => t('nearCity', { what: q, inCity: place() }) },
  ];
  return searches.filter((one) => one !== false);
}

/**
 * Shown if `search` has no results. Tries broader searches until a search finds a business.
 * @param {{ search: Search, day?: string }} props
 */
export function Near({ search, day }) {
  const reading = useLoad(async () => {
    for (const near of relaxed(search, day)) {
      const entreprises = await get('api/entreprises', { ...near.search, limite: ENOUGH });
      if (entreprises.length) return { ...near, entreprises };
    }
    return null;
  }, []);
  if (reading.waiting) return html`<${Waiting} lines=${1} />`;
  if (reading.error) return html`<${Trouble} error=${reading.error} again=${reading.again} />`;
  const near = reading.value;
  if (!near) {
    const all = html`<a class="button" href=${searchOf('')}>${t('seeAll')}</a>`;
    return html`
      <${Empty} role="status" action=${all}>${t(day ? 'nobodyThatDay' : 'nobody')}<//>`;
  }
  const { q, ville } = near.search;
  return html`
    <${Matching} entreprises=${near.entreprises} said=${near.said()} />
    <div><a class="button" href=${searchOf(q, ville)}>${t('seeTimes')}</a></div>`;
}

/** @param {{ entreprises: Entreprise[], said: string }} props */
export const Matching = ({ entreprises, said }) => html`
  <div role="status"><h2>${said}</h2></div>
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
