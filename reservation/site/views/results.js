// Who has a free time: of one day, or as soon as possible, day by day.
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';
import { get, page, remember } from '../api.js';
import { capital, dayOf, isDay, length, nearDay, plusDays, price, today } from '../dates.js';
import { Icon, Loaded, Trouble, useLoad, Waiting } from '../parts/page.js';
import { Times } from '../parts/times.js';
import { address } from '../router.js';
import { t } from '../texts.js';
import '../texts/booking.js';

const DAYS = 14; // that are looked at by themselves before somebody has to ask
const AT_ONCE = 20;
const ENOUGH = 6; // businesses to show before somebody has to ask for more

export function Results({ query }) {
  const [q, ville, jour] = ['q', 'ville', 'jour'].map((name) => query.get(name) ?? '');
  const what = q || t('allServices');
  const title = ville ? t('inCity', { what, city: ville }) : what;
  useEffect(() => { document.title = `${t('resultsFor', { what: title })} · ${t('brand')}`; });
  const Kind = isDay(jour) ? OneDay : Soonest;
  return html`
    <section class="page wide results" aria-labelledby="results">
      <h2 id="results">${title}</h2>
      <${Kind} key=${query.toString()} search=${{ q, ville }} jour=${jour} />
    </section>`;
}

const offersOf = (search, day, more) => page('api/entreprises', { ...search, disponible: day, limite: AT_ONCE, ...more });

function OneDay({ search, jour }) {
  const [pages, show] = useState([]);
  const first = useLoad(() => offersOf(search, jour), []);
  const last = pages.at(-1) ?? first.value;
  const more = async () => show([...pages, await offersOf(search, jour, last.next)]);
  const dayLink = (day, key) => html`<a class="button small" href=${address('', { ...search, jour: day })}>${t(key)}</a>`;
  return html`
    <div class="spread">
      <h3>${capital(nearDay(jour))}</h3>
      <div class="row">
        ${jour > today() && dayLink(plusDays(jour, -1), 'previousDay')}
        ${dayLink(plusDays(jour, 1), 'nextDay')}
        <a class="button small" href=${`?${new URLSearchParams({ q: search.q, ...(search.ville && { ville: search.ville }) })}`}>${t('asSoonAsPossible')}</a>
      </div>
    </div>
    <${Loaded} from=${first}>${(value) => {
      const offers = [value, ...pages].flatMap((one) => one.items);
      return html`
        <${Count} n=${offers.length} />
        ${offers.length ? html`<${Offers} offers=${offers} />` : !last.next && html`<div class="empty"><p>${t('nothingThatDay')}</p></div>`}
        ${last.next && html`<button type="button" onClick=${more}>${t('moreBusinesses')}</button>`}`;
    }}<//>`;
}

/** Looks at day after day, and shows each business on the first day on which it has a time. */
function Soonest({ search }) {
  const [days, show] = useState([]);
  const [state, tell] = useState({ waiting: true });
  const seen = useRef(new Set());
  const matching = useRef(); // up to ENOUGH businesses of whatever day

  /** Read days from `day` on until there are some more businesses to show. */
  async function look(day, until, more) {
    tell({ waiting: true });
    try {
      matching.current ??= await get('api/entreprises', { ...search, limite: ENOUGH });
      if (!matching.current.length) return tell({ nobody: true });
      const before = seen.current.size;
      for (; day <= until; day = plusDays(day, 1), more = null) {
        const { items, next } = await offersOf(search, day, more);
        const offers = items.filter((one) => !seen.current.has(one.id));
        offers.forEach((one) => seen.current.add(one.id));
        if (offers.length) show((others) => [...others, { day, offers }]);
        if (next) return tell({ day, next });
        if (seen.current.size - before >= Math.min(ENOUGH, matching.current.length)) return tell({ day: plusDays(day, 1) });
      }
      tell({ day, ended: !seen.current.size });
    } catch (error) {
      tell({ error, again: () => look(day, until, more) });
    }
  }
  useEffect(() => { look(today(), plusDays(today(), DAYS)); }, []);
  const later = () => look(state.day, plusDays(state.day, DAYS), state.next);
  const n = days.reduce((sum, { offers }) => sum + offers.length, 0);
  return html`
    ${n > 0 && html`<${Count} n=${n} />`}
    ${days.map(({ day, offers }) => html`
      <h3>${capital(nearDay(day))}</h3>
      <${Offers} offers=${offers} />`)}
    ${state.nobody && html`<div class="empty" role="status"><p>${t('nobody')}</p></div>`}
    ${state.ended && html`<p role="status">${t('nothingSoon')}</p><ul class="cards">${matching.current.map((one) => html`
      <li><article class="card link"><h3><a href="entreprises/${one.id}">${one.nom}</a></h3><p class="muted">${one.ville}</p></article></li>`)}</ul>`}
    ${state.waiting && html`<${Waiting} lines=${days.length ? 1 : 3} />`}
    ${state.error && html`<${Trouble} error=${state.error} again=${state.again} />`}
    ${state.day && matching.current.length >= Math.min(n + 1, ENOUGH) && html`<div><button type="button" onClick=${later}>${t(state.next ? 'moreBusinesses' : 'laterDays')}</button></div>`}`;
}

const Count = ({ n }) => html`<p class="muted" role="status">${t('found', { n })}</p>`;

const Offers = ({ offers }) => html`<ul class="stack">${offers.map((one) => html`<li key=${one.id}><${Offer} of=${one} /></li>`)}</ul>`;

/** The earliest time is known at once; the others of that day are read when the card is seen. */
function Offer({ of }) {
  const { prochainCreneau: first, ...entreprise } = of;
  const prestation = first.prestation;
  const card = useRef();
  const [starts, show] = useState([first]);
  const day = dayOf(first.debut);
  useEffect(() => {
    const watcher = new IntersectionObserver(async ([entry]) => {
      if (!entry.isIntersecting) return;
      watcher.disconnect();
      const query = { prestation: prestation.id, du: day, au: day };
      const all = await get(`api/entreprises/${of.id}/creneaux`, query).catch(() => []);
      if (all.length) show(all);
    });
    watcher.observe(card.current);
    return () => watcher.disconnect();
  }, []);
  const url = address(`entreprises/${of.id}`, { prestation: prestation.id, semaine: day });
  const details = [length(prestation.dureeMinutes), price(prestation.prixCentimes)].filter(Boolean).join(' · ');
  return html`
    <article class="card offer" ref=${card}>
      <div class="stack tight">
        <h3><a href=${url} onClick=${() => remember(`api/entreprises/${of.id}`, entreprise)}>${of.nom}</a></h3>
        <p class="with-icon muted small"><${Icon} name="pin" />${[of.adresse, of.ville].filter(Boolean).join(', ')}</p>
        <p><strong>${prestation.nom}</strong> <span class="muted">${details}</span></p>
      </div>
      <div class="stack tight">
        <${Times} entreprise=${entreprise} prestation=${prestation} starts=${starts.slice(0, 8)} />
        ${starts.length > 8 && html`<a class="small" href=${url} aria-label=${`${t('moreTimes')}, ${of.nom}`}>${t('moreTimes')}</a>`}
      </div>
    </article>`;
}
