// The main figures of a period, each with its change from the previous period.
import { money } from '../../formats.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { change, filledOf, hours, percent, points } from './amounts.js';

/** @import { Statistics, Whole } from '../types.js' */

/** @param {Whole} whole */
const missedOf = ({ absentes, honorees }) => absentes / (absentes + honorees || 1);

/** @param {Whole} whole */
const returningOf = ({ clients, clientsRevenus }) => clientsRevenus / (clients || 1);

/** @param {Statistics} props */
export function Tiles({ periode: now, precedente: before }) {
  const decided = now.absentes + now.honorees;
  const decidedBefore = before.absentes + before.honorees;
  const honoured = t('ofWhichHonoured', { amount: money(now.honoreCentimes) });
  const open = { taken: hours(now.prisesMinutes), open: hours(now.capaciteMinutes) };
  const share = percent(now.clientsRevenus, now.clients);
  return html`
    <dl class="tiles">
      <${Tile} label=${t('revenue')} value=${money(now.reserveCentimes)} help=${honoured}
        change=${change(now.reserveCentimes, before.reserveCentimes)}
        before=${money(before.reserveCentimes)} />
      <${Tile} label=${t('occupancy')} value=${percent(now.prisesMinutes, now.capaciteMinutes)}
        help=${t('ofOpenHours', open)}
        change=${before.capaciteMinutes > 0 && points(filledOf(now), filledOf(before))}
        before=${percent(before.prisesMinutes, before.capaciteMinutes)} />
      <${Tile} label=${t('bookings')} value=${now.reservations}
        help=${t('andCancelled', { n: now.annulees })}
        change=${change(now.reservations, before.reservations)} before=${before.reservations} />
      <${Tile} label=${t('pageCustomers')} value=${now.clients}
        help=${t('returning', { n: now.clientsRevenus, share })}
        change=${before.clients > 0 && points(returningOf(now), returningOf(before))}
        before=${percent(before.clientsRevenus, before.clients)} />
      <${Tile} label=${t('noShows')} value=${percent(now.absentes, decided)} bad
        help=${t('ofDecided', { missed: now.absentes, n: decided })}
        change=${decided > 0 && decidedBefore > 0 && points(missedOf(now), missedOf(before))}
        before=${percent(before.absentes, decidedBefore)} />
    </dl>`;
}

/**
 * `bad` is set for a figure that should be low, such as the share of missed bookings.
 * @param {{ label: string, value: string | number, help: string, change: string | false,
 *   before: string | number, bad?: boolean }} props
 */
function Tile({ label, value, help, change, before, bad }) {
  const tone = /^[+]/.test(change || '') === Boolean(bad) ? 'worse' : 'better';
  const moved = change && /[1-9]/.test(change);
  const compared = html`
    <small class="row">
      <span class="change ${moved ? tone : ''}">${change}</span>
      ${t('beforeValue', { value: before })}
    </small>`;
  return html`
    <div class="card tile">
      <dt>${label}</dt>
      <dd>
        <b>${value}</b>
        <small>${help}</small>
        ${change && compared}
      </dd>
    </div>`;
}
