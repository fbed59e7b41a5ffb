// Page /entreprises/{id}?prestation=&avec=&semaine=&vue=: a business, its services and free times.
import { get, known } from '../api.js';
import { isDay, span, today } from '../dates.js';
import { placeOf } from '../formats.js';
import { all } from '../lists/reading.js';
import { entry } from '../parts/booking.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Email, Phone } from '../parts/names.js';
import { Button, Empty, Icon, Page } from '../parts/page.js';
import { choicesOf, PersonChoice, teamPath } from '../parts/people.js';
import { setQuery } from '../router.js';
import { t } from '../texts/booking.js';
import { html, useState } from '../vendor/htm-3.1.1.js';
import { Gallery, Logo } from './offered/photos.js';
import { Services } from './offered/services.js';
import { When } from './offered/when.js';
import { About } from './opening.js';

/** @import { Entreprise, Prestation, Ressource, ViewProps } from '../types.js' */
/** @import { Photo } from './offered/types.js' */
/**
 * @typedef {{ entreprise: Entreprise, prestations: Prestation[], team: Ressource[],
 *   photos: Photo[] }} Business
 */

/** @param {string} id @returns {Promise<Business>} */
export async function businessOf(id) {
  const path = `api/entreprises/${id}`;
  const [entreprise, prestations, team, photos] = await Promise.all([
    known(path),
    all(`${path}/prestations`),
    known(teamPath(id)),
    get(`${path}/photos`),
  ]);
  return { entreprise, prestations, team, photos };
}

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const business = useLoad(() => businessOf(id), [id]);
  return html`
    <${Loaded} from=${business} whole>${(
      /** @type {Business} */ { entreprise, photos, ...offered },
    ) => html`
      <${Page} title=${entreprise.nom} size="wide">
        <div class="about place">
          <${Logo} photos=${photos} name=${entreprise.nom} />
          <div class="stack tight">
            <p class="with-icon muted"><${Icon} name="pin" /><${Place} ...${{ entreprise }} /></p>
            ${entreprise.description && html`<${Description} text=${entreprise.description} />`}
          </div>
        </div>
        <${Gallery} photos=${photos} name=${entreprise.nom} />
        <div class="beside">
          <div class="stack">
            <${Offered} ...${{ entreprise, ...offered, query }} />
          </div>
          <aside class="stack" aria-label=${t('information')}>
            <${About} entreprise=${entreprise}><${Facts} entreprise=${entreprise} /><//>
          </aside>
        </div>
      <//>`}<//>`;
}

const LONG = 280; // characters

/** A long description is cut, so that the services stay near. @param {{ text: string }} props */
function Description({ text }) {
  const [whole, setWhole] = useState(false);
  const more = html`
    <div>
      <${Button} class="small" aria-expanded=${whole} onClick=${() => setWhole(!whole)}>
        ${t(whole ? 'readLess' : 'readMore')}
      <//>
    </div>`;
  return html`
    <p class=${text.length > LONG && !whole ? 'lead plain clamp' : 'lead plain'}>${text}</p>
    ${text.length > LONG && more}`;
}

/** @param {{ entreprise: Entreprise }} props */
function Place({ entreprise }) {
  const place = placeOf(entreprise);
  const query = encodeURIComponent(placeOf(entreprise, String));
  const map = `https://www.openstreetmap.org/search?query=${query}`;
  return html`
    <span>
      ${place} · <a href=${map} target="_blank" rel="noopener noreferrer"
        aria-label=${`${t('map')}, ${place}`}>${t('map')}</a>
    </span>`;
}

/** @param {Omit<Business, 'photos'> & { query: URLSearchParams }} props */
function Offered({ entreprise, prestations, team, query }) {
  if (!entreprise.actif) return html`<${Empty}>${t('notTaking')}<//>`;
  if (!prestations.length) return html`<${Empty}>${t('noService')}<//>`;
  const wanted = Number(query.get('prestation'));
  const chosen = prestations.find(({ id }) => id === wanted) ?? prestations[0];
  const people = choicesOf(chosen, team);
  const person = people.find(({ id }) => id === Number(query.get('avec')));
  const week = query.get('semaine');
  const choice = html`
    <section class="card stack">
      <h2>${t('choosePerson')}</h2>
      <${PersonChoice} ...${{ people, person }} legend=${t('whoLabel')}
        onPerson=${(/** @type {number} */ avec) => setQuery({ avec: avec || '' })} />
    </section>`;
  return html`
    <section class="card stack">
      <h2>${t('chooseService')}</h2>
      <${Services} prestations=${prestations} chosen=${chosen} />
    </section>
    ${people.length > 0 && choice}
    <section class="card stack" aria-labelledby="times">
      <h2 id="times">${t(people.length ? 'chooseTimeThird' : 'chooseTime')}</h2>
      <${When} entreprise=${entreprise} prestation=${chosen} ...${{ people, person }}
        day=${isDay(week) ? week : today(entreprise.fuseau)}
        byMonth=${query.get('vue') === 'mois'} />
    </section>`;
}

/** @param {{ entreprise: Entreprise }} props */
function Facts({ entreprise }) {
  const { delaiAnnulation, telephone, email, validationManuelle, maxAVenir } = entreprise;
  const rule = delaiAnnulation
    ? t('cancelRule', { span: span(delaiAnnulation) })
    : t('cancelRuleNone');
  return html`
    <section class="card stack">
      <h2>${t('information')}</h2>
      <ul class="stack tight">
        ${entry('pin', placeOf(entreprise))}
        ${telephone && entry('phone', html`<${Phone} number=${telephone} />`)}
        ${email && entry('mail', html`<${Email} to=${email} />`)}
        ${entry('swap', rule)}
        ${maxAVenir && entry('info', t('upcomingRule', { n: maxAVenir }))}
        ${validationManuelle && entry('info', t('approvalRule'))}
      </ul>
    </section>`;
}
