// The main figures of a period, each with its change from the previous period.
import { money } from '../../formats.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { change, hours, percent, points, ratio } from './amounts.js';

/** @import { Statistics, Whole } from '../types.js' */

/** @param {Statistics} props */
export function Tiles({ periode: now, precedente: before }) {
  /**
   * Returns the properties of the tile of a rate.
   * @param {(period: Whole) => [number, number]} rateOf returns the part and the whole
   */
  const compared = (rateOf) => {
    const rate = rateOf(now);
    const former = rateOf(before);
    return {
      value: percent(...rate),
      change: former[1] > 0 && points(ratio(...rate), ratio(...former)),
      before: percent(...former),
    };
  };
  const honoured = t('ofWhichHonoured', { amount: money(now.honoreCentimes) });
  const open = {
    n: Math.round(now.prisesMinutes / 6) / 10, // rounded like `taken`
    taken: hours(now.prisesMinutes),
    open: hours(now.capaciteMinutes),
  };
  const occupancy = compared((one) => [one.prisesMinutes, one.capaciteMinutes]);
  const returning = compared((one) => [one.clientsRevenus, one.clients]);
  const noShows = compared((one) => [one.absentes, one.absentes + one.honorees]);
  const missed = now.absentes;
  const decided = missed + now.honorees;
  return html`
    <dl class="tiles">
      <${Tile} label=${t('revenue')} value=${money(now.reserveCentimes)} help=${honoured}
        change=${change(now.reserveCentimes, before.reserveCentimes)}
        before=${money(before.reserveCentimes)} />
      <${Tile} label=${t('occupancy')} help=${t('ofOpenHours', open)} ...${occupancy} />
      <${Tile} label=${t('bookings')} value=${now.reservations}
        help=${t('andCancelled', { n: now.annulees })}
        change=${change(now.reservations, before.reservations)} before=${before.reservations} />
      <${Tile} label=${t('pageCustomers')} ...${{ ...returning, value: now.clients }}
        help=${t('returning', { n: now.clientsRevenus, share: returning.value })} />
      <${Tile} label=${t('noShows')} help=${t('ofDecided', { missed, n: decided })} bad
        ...${noShows} change=${decided > 0 && noShows.change} />
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
      <dt class="muted small">${label}</dt>
      <dd>
        <b>${value}</b>
        <small>${help}</small>
        ${change && compared}
      </dd>
    </div>`;
}
