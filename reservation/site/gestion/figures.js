// /gestion/{id}/chiffres?qui=: how full each week is, as a chart and as a table.
import { get } from '../api.js';
import { plusDays, shortDay, today } from '../dates.js';
import { Loaded, useLoad } from '../parts/load.js';
import { t } from '../texts/gestion.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Chart, isCurrent, percent } from './chart.js';
import { Managed, pathOf } from './frame.js';
import { TeamFilter } from './team/members.js';

/** @import { ViewProps } from '../types.js' */
/** @import { Manage } from './frame.js' */
/** @import { Occupation } from './types.js' */
/** @typedef {{ weeks: Occupation[], now: string }} Weeks */

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const ressource = query.get('qui');
  const path = `${pathOf(id)}/occupation`;
  const weeks = useLoad(() => get(path, { ressource }), [path, ressource]);
  return html`
    <${Managed} id=${id} page="chiffres" lead=${t('figuresLead')}>
      ${(/** @type {Manage} */ { entreprise, team }) => html`
        <${TeamFilter} team=${team} value=${ressource} />
        <${Loaded} from=${weeks} lines=${5}>${(/** @type {Occupation[]} */ value) => html`
          <${Figures} weeks=${value} now=${today(entreprise.fuseau)} />`}<//>`}
    <//>`;
}

/**
 * Adds a figure over weeks.
 * @param {Occupation[]} weeks
 * @param {'prisesMinutes' | 'capaciteMinutes' | 'reservations' | 'absentes' | 'honorees'} name
 */
const sum = (weeks, name) => weeks.reduce((total, week) => total + week[name], 0);

/** @param {Occupation[]} weeks */
const occupancy = (weeks) => percent(sum(weeks, 'prisesMinutes'), sum(weeks, 'capaciteMinutes'));

/** @param {Weeks} props */
function Figures({ weeks, now }) {
  const past = weeks.filter(({ du }) => plusDays(du, 6) < now);
  const coming = weeks.filter(({ du }) => plusDays(du, 6) >= now);
  const missed = sum(weeks, 'absentes'); // with the current week, as in the table
  const bookings = t('bookingsToCome', { n: sum(coming, 'reservations') });
  const noShows = percent(missed, missed + sum(weeks, 'honorees'));
  /** @param {string} label @param {string} value @param {string} help */
  const tile = (label, value, help) => html`
    <div class="card tile"><dt>${label}</dt><dd><b>${value}</b><small>${help}</small></dd></div>`;
  return html`
    <dl class="tiles">
      ${tile(t('filledPast'), occupancy(past), t('inWeeks', { n: past.length }))}
      ${tile(t('filledComing'), occupancy(coming), bookings)}
      ${tile(t('noShows'), noShows, t('missedBookings', { n: missed }))}
    </dl>
    <div class="figures">
      <section class="card stack" aria-labelledby="chart">
        <h2 id="chart">${t('weekByWeek')}</h2>
        <${Chart} weeks=${weeks} now=${now} />
      </section>
      <section class="card scroll" tabindex="0" aria-label=${t('weekByWeekTable')}>
        <${Table} weeks=${weeks} now=${now} />
      </section>
    </div>`;
}

/** @param {Weeks} props */
const Table = ({ weeks, now }) => html`
  <table class="numbers">
    <caption class="unseen">${t('weekByWeekTable')}</caption>
    <thead>
      <tr>
        ${[t('weekOf'), t('filled'), t('bookings'), t('came'), t('missed'), t('cancelledMany')].map(
          (label) => html`<th scope="col">${label}</th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${weeks.map(
        (week) => html`
        <tr key=${week.semaine} class=${isCurrent(week, now) ? 'present' : ''}>
          <th scope="row">${shortDay(week.du)}</th>
          <td>${percent(week.prisesMinutes, week.capaciteMinutes)}</td>
          <td>${week.reservations}</td>
          <td>${week.honorees}</td>
          <td>${week.absentes}</td>
          <td>${week.annulees}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
