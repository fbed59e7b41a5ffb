// /entreprises/{id}?prestation=&semaine=: what a business does, when, and its free times.
import { html } from '../vendor/htm-3.1.1.js';
import { get, known } from '../api.js';
import { isDay, length, price, span, today } from '../dates.js';
import { Icon, Loaded, Page, useLoad } from '../parts/page.js';
import { placeOf } from '../parts/summary.js';
import { Week } from '../parts/week.js';
import { setQuery } from '../router.js';
import { t } from '../texts.js';
import { Events, Hours } from './opening.js';
import '../texts/booking.js';

export default function View({ id, query }) {
  const path = `api/entreprises/${id}`;
  const all = useLoad(() => Promise.all([known(path), get(`${path}/prestations`, { limite: 200 })]), [id]);
  return html`
    <${Loaded} from=${all} whole>${([entreprise, services]) => html`
      <${Page} title=${entreprise.nom} size="wide">
        <p class="with-icon muted place"><${Icon} name="pin" />${placeOf(entreprise)}</p>
        ${entreprise.description && html`<p class="lead plain">${entreprise.description}</p>`}
        <div class="beside">
          <div class="stack">
            ${entreprise.actif ? html`<${Offered} ...${{ entreprise, services, query }} />` : html`<div class="empty"><p>${t('notTaking')}</p></div>`}
          </div>
          <aside class="stack" aria-label=${t('information')}>
            <${Events} of=${entreprise} />
            <${Hours} of=${entreprise} />
            <${Facts} of=${entreprise} />
          </aside>
        </div>
      <//>`}<//>`;
}

/** The services to choose from, and the week of the chosen one. */
function Offered({ entreprise, services, query }) {
  if (!services.length) return html`<div class="empty"><p>${t('noService')}</p></div>`;
  const wanted = Number(query.get('prestation'));
  const chosen = services.find((one) => one.id === wanted) ?? services[0];
  const week = query.get('semaine');
  return html`
    <section class="card stack">
      <h2>${t('chooseService')}</h2>
      <fieldset class="options">
        <legend class="unseen">${t('services')}</legend>
        ${services.map((one) => html`
          <label key=${one.id}>
            <input type="radio" name="prestation" checked=${one === chosen} onChange=${() => setQuery({ prestation: one.id })} />
            <span><b>${one.nom}</b>${one.description && html`<small>${one.description}</small>`}</span>
            <span class="told">${length(one.dureeMinutes)}${one.prixCentimes > 0 && html`<b>${price(one.prixCentimes)}</b>`}</span>
          </label>`)}
      </fieldset>
    </section>
    <section class="card stack" aria-labelledby="times">
      <h2 id="times">${t('chooseTime')}</h2>
      <${Week} entreprise=${entreprise} prestation=${chosen} from=${isDay(week) ? week : today(entreprise.fuseau)}
        onWeek=${(day) => setQuery({ semaine: day })} />
    </section>`;
}

function Facts({ of }) {
  const rule = of.delaiAnnulation ? t('cancelRule', { span: span(of.delaiAnnulation) }) : t('cancelRuleNone');
  return html`
    <section class="card stack">
      <h2>${t('information')}</h2>
      <ul class="stack tight">
        <li class="with-icon"><${Icon} name="pin" /><span>${placeOf(of)}</span></li>
        ${of.telephone && html`<li class="with-icon"><${Icon} name="phone" /><a href="tel:${of.telephone.replace(/[^+\d]/g, '')}">${of.telephone}</a></li>`}
        ${of.email && html`<li class="with-icon"><${Icon} name="mail" /><a href="mailto:${of.email}">${of.email}</a></li>`}
        <li class="with-icon"><${Icon} name="swap" /><span>${rule}</span></li>
        ${of.validationManuelle && html`<li class="with-icon"><${Icon} name="info" /><span>${t('approvalRule')}</span></li>`}
      </ul>
    </section>`;
}
