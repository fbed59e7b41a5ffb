// /gestion/{id}/chiffres: how full each week is and who did not come, as a chart and its table.
import { html } from '../../vendor/htm-3.1.1.js';
import { get } from '../../api.js';
import { shortDay, plusDays, today } from '../../dates.js';
import { Loaded, useLoad } from '../../parts/page.js';
import { t } from '../../texts.js';
import '../../texts/business.js';
import { Chart } from './chart.js';
import { Managed, pathOf } from './frame.js';
import { percent } from './reading.js';

export default function View({ id }) {
  const weeks = useLoad(() => get(`${pathOf(id)}/occupation`), [id]);
  return html`
    <${Managed} id=${id} page="chiffres" lead=${t('figuresLead')}>${(entreprise) => html`
      <${Loaded} from=${weeks} lines=${5}>${(rows) => html`<${Figures} rows=${rows} now=${today(entreprise.fuseau)} />`}<//>`}<//>`;
}

const sum = (rows, name) => rows.reduce((all, row) => all + row[name], 0);

function Figures({ rows, now }) {
  const past = rows.filter((row) => plusDays(row.du, 6) < now);
  const coming = rows.filter((row) => plusDays(row.du, 6) >= now);
  const missed = sum(rows, 'absentes'); // of the present week too, as in the table
  const tile = (label, value, help) => html`<div class="card tile"><dt>${label}</dt><dd><b>${value}</b><small>${help}</small></dd></div>`;
  return html`
    <dl class="tiles">
      ${tile(t('filledPast'), percent(sum(past, 'prisesMinutes'), sum(past, 'capaciteMinutes')), t('inWeeks', { n: past.length }))}
      ${tile(t('filledComing'), percent(sum(coming, 'prisesMinutes'), sum(coming, 'capaciteMinutes')), t('bookingsToCome', { n: sum(coming, 'reservations') }))}
      ${tile(t('noShows'), percent(missed, missed + sum(rows, 'honorees')), t('ofVisits', { n: missed }))}
    </dl>
    <div class="figures">
      <section class="card stack" aria-labelledby="chart"><h2 id="chart">${t('weekByWeek')}</h2><${Chart} rows=${rows} now=${now} /></section>
      <section class="card scroll" tabindex="0" aria-label=${t('weekByWeekTable')}><${Table} rows=${rows} now=${now} /></section>
    </div>`;
}

const Table = ({ rows, now }) => html`
  <table class="numbers">
    <caption class="unseen">${t('weekByWeekTable')}</caption>
    <thead><tr><th scope="col">${t('weekOf')}</th><th scope="col">${t('filled')}</th><th scope="col">${t('bookings')}</th><th scope="col">${t('came')}</th><th scope="col">${t('missed')}</th><th scope="col">${t('cancelledMany')}</th></tr></thead>
    <tbody>
      ${rows.map((row) => html`
        <tr key=${row.semaine} class=${row.du <= now && plusDays(row.du, 6) >= now ? 'present' : ''}>
          <th scope="row">${shortDay(row.du)}</th><td>${percent(row.prisesMinutes, row.capaciteMinutes)}</td><td>${row.reservations}</td>
          <td>${row.honorees}</td><td>${row.absentes}</td><td>${row.annulees}</td>
        </tr>`)}
    </tbody>
  </table>`;
