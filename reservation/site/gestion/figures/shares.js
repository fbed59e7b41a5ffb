// A table of the bookings of each service or person. The column "Share" compares the prices of the
// bookings. If all prices are 0, the column compares the numbers of bookings.
import { money } from '../../formats.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { percent } from './amounts.js';

/** @import { Share } from '../types.js' */

/** @param {{ id: string, title: string, shares: Share[] }} props */
export function Shares({ id, title, shares }) {
  const name = shares.some(({ reserveCentimes }) => reserveCentimes)
    ? 'reserveCentimes'
    : 'reservations';
  const whole = shares.reduce((sum, one) => sum + one[name], 0);
  return html`
    <section class="card stack" aria-labelledby=${id}>
      <h2 id=${id}>${title}</h2>
      <div class="scroll" tabindex="0" role="group" aria-labelledby=${id}>
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">${t('nameOf')}</th>
              <th scope="col">${t('share')}</th>
              <th scope="col">${t('bookings')}</th>
              <th scope="col">${t('booked')}</th>
              <th scope="col">${t('honoured')}</th>
            </tr>
          </thead>
          <tbody>
            ${shares.map(
              (one) => html`
              <tr key=${one.id}>
                <th scope="row">${one.nom}</th>
                <td>
                  <span class="share" style=${{ '--part': one[name] / whole }}>
                    ${percent(one[name], whole)}
                  </span>
                </td>
                <td>${one.reservations}</td>
                <td>${money(one.reserveCentimes)}</td>
                <td>${money(one.honoreCentimes)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
}
