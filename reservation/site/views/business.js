// /entreprises/{id}?prestation=&semaine=: a business, its services and its free times.
import { known } from '../api.js';
import { isDay, span, today } from '../dates.js';
import { all } from '../lists.js';
import { Phone, placeOf } from '../parts/booking.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Empty, Icon, Page } from '../parts/page.js';
import { choicesOf, PersonChoice, teamPath } from '../parts/people.js';
import { Week } from '../parts/week.js';
import { setQuery } from '../router.js';
import { t } from '../texts/booking.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Events, Hours } from './opening.js';
import { Services } from './services.js';

/** @import { Entreprise, Prestation, Ressource, ViewProps } from '../types.js' */
/**
 * @typedef {{ entreprise: Entreprise, prestations: Prestation[], team: Ressource[] }} Business
 */

/** @param {string} id @returns {Promise<Business>} */
export async function businessOf(id) {
  const path = `api/entreprises/${id}`;
  const services = all(`${path}/prestations`);
  const [entreprise, prestations, team] = await Promise.all([
    known(path),
    services,
    known(teamPath(id)),
  ]);
  return { entreprise, prestations, team };
}

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const business = useLoad(() => businessOf(id), [id]);
  return html`
    <${Loaded} from=${business} whole>${(
      /** @type {Business} */ { entreprise, ...offered },
    ) => html`
      <${Page} title=${entreprise.nom} size="wide">
        <p class="with-icon muted place"><${Icon} name="pin" />${placeOf(entreprise)}</p>
        ${entreprise.description && html`<p class="lead plain">${entreprise.description}</p>`}
        <div class="beside">
          <div class="stack">
            <${Offered} ...${{ entreprise, ...offered, query }} />
          </div>
          <aside class="stack" aria-label=${t('information')}>
            <${Events} entreprise=${entreprise} />
            <${Hours} entreprise=${entreprise} />
            <${Facts} entreprise=${entreprise} />
          </aside>
        </div>
      <//>`}<//>`;
}

/**
 * The services, who can perform the chosen one, and its week.
 * @param {Business & { query: URLSearchParams }} props
 */
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
      <${Week} entreprise=${entreprise} prestation=${chosen} ...${{ people, person }}
        from=${isDay(week) ? week : today(entreprise.fuseau)}
        onWeek=${(/** @type {string} */ day) => setQuery({ semaine: day })} />
    </section>`;
}

/** @param {{ entreprise: Entreprise }} props */
function Facts({ entreprise }) {
  const { delaiAnnulation, telephone, email, validationManuelle, maxAVenir } = entreprise;
  const rule = delaiAnnulation
    ? t('cancelRule', { span: span(delaiAnnulation) })
    : t('cancelRuleNone');
  /** @param {string} icon @param {unknown} content */
  const fact = (icon, content) =>
    html`<li class="with-icon"><${Icon} name=${icon} /><span>${content}</span></li>`;
  return html`
    <section class="card stack">
      <h2>${t('information')}</h2>
      <ul class="stack tight">
        ${fact('pin', placeOf(entreprise))}
        ${telephone && fact('phone', html`<${Phone} number=${telephone} />`)}
        ${email && fact('mail', html`<a href="mailto:${email}">${email}</a>`)}
        ${fact('swap', rule)}
        ${maxAVenir && fact('info', t('upcomingRule', { n: maxAVenir }))}
        ${validationManuelle && fact('info', t('approvalRule'))}
      </ul>
    </section>`;
}
