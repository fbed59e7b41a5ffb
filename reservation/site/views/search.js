// /?q=&ville=&jour=: the first view. Without a search it says what one can do here; with one it
// shows who has a free time (views/results.js).
import { html, useEffect, useState } from '../vendor/htm-3.1.1.js';
import { get, remember } from '../api.js';
import { Combobox } from '../parts/combobox.js';
import { Icon, Page, useLoad, Waiting } from '../parts/page.js';
import { go } from '../router.js';
import { t } from '../texts.js';

const POPULAR = ['Coupe femme', 'Coupe homme', 'Massage relaxant', 'Ostéopathe', 'Manucure', 'Yoga'];

export default function View({ query }) {
  const searching = ['q', 'ville', 'jour'].some((name) => query.has(name));
  return html`
    <div class=${searching ? 'hero small' : 'hero'}>
      <${Page} title=${t('searchTitle')} lead=${!searching && t('searchLead')} size="wide" quiet=${searching}>
        <${SearchForm} key=${query.toString()} query=${query} />
        ${!searching && html`<${Popular} />`}
      <//>
    </div>
    ${searching ? html`<${Lazy} query=${query} />` : html`<${Discover} />`}`;
}

function SearchForm({ query }) {
  const [q, setQ] = useState(query.get('q') ?? '');
  const [ville, setVille] = useState(query.get('ville') ?? '');
  const [jour, setJour] = useState(query.get('jour') ?? '');
  const search = (event) => {
    event.preventDefault();
    // `q` stays even if it is empty: whoever searches for nothing wants to see everything
    const found = new URLSearchParams({ q: q.trim(), ...(ville.trim() && { ville: ville.trim() }), ...(jour && { jour }) });
    go(`?${found}`);
  };
  return html`
    <form class="search" role="search" onSubmit=${search}>
      <${Combobox} id="q" label=${t('what')} hint=${t('whatHint')} icon=${html`<${Icon} name="search" />`}
        source="api/services" value=${q} onInput=${setQ} />
      <${Combobox} id="ville" label=${t('where')} hint=${t('whereHint')} icon=${html`<${Icon} name="pin" />`}
        source="api/villes" value=${ville} onInput=${setVille} />
      <div class="combobox">
        <label for="jour">${t('when')}</label>
        <div class="with-icon"><${Icon} name="calendar" />
          <input id="jour" type="date" value=${jour} onInput=${(event) => setJour(event.target.value)} />
        </div>
      </div>
      <button class="main">${t('search')}</button>
    </form>`;
}

const Popular = () => html`
  <div class="row popular">
    <span class="muted">${t('popular')}</span>
    ${POPULAR.map((name) => html`<a class="button small" href=${`?${new URLSearchParams({ q: name })}`}>${name}</a>`)}
  </div>`;

/** The results and what they need are loaded with the first search. */
function Lazy({ query }) {
  const [results, show] = useState(null);
  useEffect(() => { import('./results.js').then(show); }, []);
  return results ? html`<${results.Results} query=${query} />` : html`<div class="page wide"><${Waiting} /></div>`;
}

function Discover() {
  const some = useLoad(() => get('api/entreprises', { limite: 6 }), []);
  const promises = [
    ['bolt', 'promiseInstant'], ['swap', 'promiseChange'], ['bell', 'promiseRemind'],
  ];
  return html`
    <div class="page wide">
      <ul class="promises">
        ${promises.map(([icon, key]) => html`
          <li><${Icon} name=${icon} /><div><h2>${t(key)}</h2><p class="muted">${t(`${key}Help`)}</p></div></li>`)}
      </ul>
      ${some.value?.length > 0 && html`
        <section class="stack">
          <h2>${t('discover')}</h2>
          <ul class="cards">${some.value.map((one) => html`<li><${Business} of=${one} /></li>`)}</ul>
        </section>`}
    </div>`;
}

function Business({ of }) {
  return html`
    <article class="card link stack">
      <div class="stack tight">
        <h3><a href="entreprises/${of.id}" onClick=${() => remember(`api/entreprises/${of.id}`, of)}>${of.nom}</a></h3>
        <p class="with-icon muted small"><${Icon} name="pin" />${of.ville}</p>
      </div>
      ${of.description && html`<p class="clamp small">${of.description}</p>`}
      <p class="with-icon small strong"><${Icon} name="clock" />${t('seeTimes')}</p>
    </article>`;
}
