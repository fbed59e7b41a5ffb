// /gestion/{id}/chiffres?periode=&du=&au=&qui=: revenue, occupancy and customers of a period.
import { get } from '../../api.js';
import { today } from '../../dates.js';
import { money } from '../../formats.js';
import { saveFrom } from '../../parts/download.js';
import { Loaded, Trouble, useAction, useLoad } from '../../parts/load.js';
import { Button, Empty } from '../../parts/page.js';
import { address } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Managed, pathOf } from '../frame.js';
import { TeamFilter } from '../team/members.js';
import { percent, ratio } from './amounts.js';
import { Chart } from './chart.js';
import { datesOf, labelOf, PeriodChoice, periodOf, unitOf } from './period.js';
import { Shares } from './shares.js';
import { Tiles } from './tiles.js';

/** @import { ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */
/** @import { Interval, Statistics, Whole } from '../types.js' */

/** @param {ViewProps} props */
export default function View({ id, query }) {
  return html`
    <${Managed} id=${id} page="chiffres" lead=${t('figuresLead')}>${(
      /** @type {Manage} */ manage,
    ) => html`<${Figures} ...${manage} ...${{ id, query }} />`}<//>`;
}

/** @param {ViewProps & Manage} props */
function Figures({ id, query, entreprise, team }) {
  const period = periodOf(query, today(entreprise.fuseau));
  const { du, au } = period;
  const ressource = query.get('qui');
  const path = `${pathOf(id)}/statistiques`;
  const read = useLoad(() => get(path, { du, au, ressource }), [path, du, au, ressource]);
  const exporting = useAction(async () =>
    saveFrom(address(`${path}.csv`, { du, au, ressource }), `statistiques-${du}-${au}.csv`),
  );
  return html`
    <div class="toolbar">
      <${PeriodChoice} ...${period} />
      <${TeamFilter} team=${team} value=${ressource} />
      <${Button} icon="download" onClick=${() => exporting.run()}>${t('exportFigures')}<//>
    </div>
    <${Trouble} ...${exporting.failed} />
    <${Loaded} from=${read} lines=${5}>${(/** @type {Statistics} */ found) =>
      found.periode.reservations + found.periode.annulees + found.precedente.reservations
        ? html`<${Found} ...${found} named=${team.length > 0} />`
        : html`<${Nothing} id=${id} />`}<//>`;
}

/** @param {{ id: string }} props */
const Nothing = ({ id }) => html`
  <${Empty} action=${html`
    <a class="button main" href="gestion/${id}/partager">${t('sharePage')}</a>`}>
    ${t('noFigures')}
  <//>`;

/** @param {Statistics & { named: boolean }} props */
function Found({ named, ...found }) {
  const { periode, precedente, intervalles, prestations, ressources } = found;
  const unit = unitOf(intervalles);
  const labels = intervalles.map((one) => labelOf(one, unit));
  /** @param {'reserveCentimes' | 'honoreCentimes'} name */
  const euros = (name) => intervalles.map((one) => one[name] / 100);
  return html`
    <p class="muted">
      ${datesOf(periode)}. ${t('comparedWith', { dates: datesOf(precedente) })}.${' '}
      ${t('pricesThen')}
    </p>
    <${Tiles} ...${found} />
    <div class="figures">
      <div class="stack">
        <section class="card stack">
          <div class="spread">
            <h2>${t('revenueChart')}</h2>
            <ul class="legend row" aria-hidden="true">
              <li class="whole">${t('booked')}</li>
              <li class="part">${t('honoured')}</li>
            </ul>
          </div>
          <${Chart} name=${t('chartLabel', { name: t('revenueChart') })} labels=${labels}
            values=${euros('reserveCentimes')} parts=${euros('honoreCentimes')} unit=${1}
            format=${(/** @type {number} */ value) => money(Math.round(value) * 100)} />
        </section>
        <section class="card stack">
          <h2>${t('filled')}</h2>
          <${Chart} name=${t('chartLabel', { name: t('filled') })} labels=${labels}
            values=${intervalles.map(filledOf)} unit=${0.01} most=${1}
            format=${(/** @type {number} */ value) => percent(value, 1)} />
        </section>
      </div>
      <section class="card scroll" tabindex="0" aria-label=${t('figuresTable')}>
        <${Table} ...${{ intervalles, periode, labels, unit }} />
      </section>
    </div>
    <div class="pair">
      <${Shares} id="services" title=${t('byService')} shares=${prestations} />
      ${named && html`<${Shares} id="people" title=${t('byPerson')} shares=${ressources} />`}
    </div>`;
}

/** @param {Interval} interval */
const filledOf = ({ prisesMinutes, capaciteMinutes }) => ratio(prisesMinutes, capaciteMinutes);

/**
 * @param {{ intervalles: Interval[], periode: Whole, labels: string[],
 *   unit: ReturnType<typeof unitOf> }} props
 */
function Table({ intervalles, periode, labels, unit }) {
  /** @param {Interval} one */
  const cells = (one) => [
    one.reservations,
    money(one.reserveCentimes),
    money(one.honoreCentimes),
    percent(one.prisesMinutes, one.capaciteMinutes),
    one.absentes,
    one.annulees,
  ];
  const heads = [
    t(`view_${unit}`),
    t('bookings'),
    t('booked'),
    t('honoured'),
    t('filled'),
    t('missed'),
    t('cancelledMany'),
  ];
  /** @param {string} label @param {Interval} one */
  const row = (label, one) => html`
    <tr key=${one.du}>
      <th scope="row">${label}</th>
      ${cells(one).map((cell) => html`<td>${cell}</td>`)}
    </tr>`;
  return html`
    <table class="numbers">
      <caption class="unseen">${t('figuresTable')}</caption>
      <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${intervalles.map((one, n) => row(labels[n], one))}</tbody>
      <tfoot>${row(t('total'), periode)}</tfoot>
    </table>`;
}
