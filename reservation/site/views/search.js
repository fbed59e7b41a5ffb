// Page /?q=&ville=&jour=: the start page or, with a query, the results of a search (results.js).
import { cache, get } from '../api.js';
import { Combobox } from '../parts/combobox.js';
import { Broken, Icon, Page, Waiting } from '../parts/page.js';
import { go } from '../router.js';
import { t } from '../texts.js';
import { html, useEffect, useState } from '../vendor/htm-3.1.1.js';

/** @import { Entreprise, Suggestions, ViewProps } from '../types.js' */

const CHIPS = 6;
const CARDS = 6;

/**
 * Returns the URL of a search. An empty `q` stays in the URL and matches all businesses.
 * @param {string} q
 * @param {string} [ville]
 * @param {string} [jour]
 */
export const searchOf = (q, ville, jour) =>
  `?${new URLSearchParams({ q, ...(ville && { ville }), ...(jour && { jour }) })}`;

/** @param {ViewProps} props */
export default function View({ query }) {
  const searching = ['q', 'ville', 'jour'].some((name) => query.has(name));
  const [known, setKnown] = useState(/** @type {Suggestions | null} */ (null));
  useEffect(() => {
    if (searching) return;
    const nothing = { metiers: [], prestations: [], entreprises: [] };
    get('api/suggestions').then(setKnown, () => setKnown(nothing)); // no error is shown
  }, [searching]);
  const form = html`<${SearchForm} key=${query.toString()} query=${query} />`;
  if (searching) {
    return html`
      <div key="results" class="hero small"><div class="page wide">${form}</div></div>
      <${Results} query=${query} />`;
  }
  return html`
    <div key="start" class="hero">
      <${Page} title=${t('searchTitle')} lead=${t('searchLead')} size="wide">
        ${form}<${Popular} known=${known} />
      <//>
    </div>
    <${Discover} entreprises=${known?.entreprises.slice(0, CARDS)} />`;
}

/** @param {{ query: URLSearchParams }} props */
function SearchForm({ query }) {
  const [q, setQ] = useState(query.get('q') ?? '');
  const [ville, setVille] = useState(query.get('ville') ?? '');
  const [jour, setJour] = useState(query.get('jour') ?? '');
  /** @param {Event} event */
  const search = (event) => {
    event.preventDefault();
    go(searchOf(q.trim(), ville.trim(), jour));
  };
  /** @param {string} name */
  const open = (name) => {
    const chosen = suggested.get(name);
    if (!chosen) return;
    cache.set(`api/entreprises/${chosen.id}`, chosen);
    go(`entreprises/${chosen.id}`);
  };
  return html`
    <form class="search" role="search" onSubmit=${search}>
      <${Combobox} id="q" label=${t('what')} hint=${t('whatHint')} icon="search"
        source=${suggest} value=${q} onInput=${setQ} onChoose=${open} />
      <${Combobox} id="ville" label=${t('where')} hint=${t('whereHint')} icon="pin"
        source="api/villes" value=${ville} onInput=${setVille} />
      <div class="combobox">
        <label for="jour">${t('when')}</label>
        <div class="with-icon">
          <${Icon} name="calendar" />
          <input id="jour" type="date" value=${jour}
            onInput=${(/** @type {{ target: HTMLInputElement }} */ { target }) =>
              setJour(target.value)} />
        </div>
      </div>
      <button class="main">${t('search')}</button>
    </form>`;
}

/** @type {Map<string, Entreprise>} the businesses of the latest suggestions, by name and city */
let suggested = new Map();

/** Returns names of trades, services and businesses that match `text`. @param {string} text */
async function suggest(text) {
  const [own, services] = await Promise.all([
    /** @type {Promise<Suggestions>} */ (get('api/suggestions', { q: text })),
    get('api/services', { q: text }),
  ]);
  suggested = new Map(own.entreprises.map((one) => [`${one.nom} · ${one.ville}`, one]));
  const businesses = [...suggested.keys()].slice(0, 3);
  const names = new Set([...own.metiers.slice(0, 3), ...own.prestations, ...services]);
  return [...[...names].slice(0, 8 - businesses.length), ...businesses];
}

/**
 * Links to popular trades and services. `known` is null until the suggestions are loaded.
 * @param {{ known: Suggestions | null }} props
 */
function Popular({ known }) {
  const { metiers = [], prestations = [] } = known ?? {};
  const names = [...new Set([...metiers.slice(0, CHIPS - 2), ...prestations])].slice(0, CHIPS);
  return html`
    <div class="popular">
      ${names.length > 0 && html`<span class="muted">${t('popular')}</span>`}
      <div class="row">
        ${names.map((name) => html`<a class="button small" href=${searchOf(name)}>${name}</a>`)}
      </div>
    </div>`;
}

/** @param {{ query: URLSearchParams }} props */
function Results({ query }) {
  const [part, setPart] = useState(
    /** @type {{ Results: import('./results.js')['Results'] | typeof Broken } | null} */ (null),
  );
  useEffect(() => {
    import('./results.js').then(setPart, () => setPart({ Results: Broken }));
  }, []);
  if (part) return html`<${part.Results} query=${query} />`;
  return html`<div class="page wide"><${Waiting} /></div>`;
}

/** `entreprises` is undefined until loaded. @param {{ entreprises?: Entreprise[] }} props */
function Discover({ entreprises }) {
  /** @param {string} icon @param {string} title @param {string} help */
  const promise = (icon, title, help) => html`
    <li><${Icon} name=${icon} /><div><h2>${title}</h2><p class="muted">${help}</p></div></li>`;
  const businesses =
    !!entreprises?.length &&
    html`
    <section class="stack">
      <h2>${t('discover')}</h2>
      <ul class="cards">
        ${entreprises.map((one) => html`<li><${Business} entreprise=${one} /></li>`)}
      </ul>
    </section>`;
  return html`
    <div class="page wide">
      <ul class="promises">
        ${promise('bolt', t('promiseInstant'), t('promiseInstantHelp'))}
        ${promise('swap', t('promiseChange'), t('promiseChangeHelp'))}
        ${promise('calendar', t('promiseKept'), t('promiseKeptHelp'))}
      </ul>
      ${entreprises ? businesses : html`<${Waiting} lines=${1} />`}
    </div>`;
}

/** @param {{ entreprise: Entreprise }} props */
function Business({ entreprise }) {
  const { id, nom, ville, description } = entreprise;
  const keep = () => cache.set(`api/entreprises/${id}`, entreprise);
  return html`
    <article class="card link stack">
      <div class="stack tight">
        <h3><a href="entreprises/${id}" onClick=${keep}>${nom}</a></h3>
        <p class="with-icon muted small"><${Icon} name="pin" />${ville}</p>
      </div>
      ${description && html`<p class="clamp small">${description}</p>`}
      <p class="with-icon small strong"><${Icon} name="clock" />${t('seeTimes')}</p>
    </article>`;
}
