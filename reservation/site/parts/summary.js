// What, when and where, of a time to book or of a reservation.
import { html } from '../vendor/htm-3.1.1.js';
import { capital, dateTime, isElsewhere, length, price, timeOf, zoneName } from '../dates.js';
import { t } from '../texts.js';
import { Icon } from './page.js';

export const placeOf = (one) => [one.adresse, [one.codePostal, one.ville].filter(Boolean).join(' ')].filter(Boolean).join(', ');

/** `fin` and `prestation`'s length and price are told where they are known. */
export function Summary({ entreprise, prestation, debut, fin, places = 1, aside, children }) {
  const facts = [
    prestation.dureeMinutes && length(prestation.dureeMinutes),
    price(prestation.prixCentimes),
    places > 1 && t('places', { n: places }),
  ].filter(Boolean).join(' · ');
  return html`
    <dl class="facts">
      <div><${Icon} name="calendar" /><dt>${t('whenLabel')}</dt>
        <dd>${capital(dateTime(debut))}${fin && ` – ${timeOf(fin)}`} ${aside}
          ${isElsewhere(debut) && html`<small class="block">${t('otherClock', { zone: zoneName(entreprise.fuseau, debut) })}</small>`}
        </dd></div>
      <div><${Icon} name="check" /><dt>${t('whatLabel')}</dt>
        <dd>${prestation.nom}${facts && html` <small class="muted">${facts}</small>`}</dd></div>
      <div><${Icon} name="pin" /><dt>${t('whereLabel')}</dt>
        <dd><a href="entreprises/${entreprise.id}">${entreprise.nom}</a><small class="block">${placeOf(entreprise)}</small>
          ${entreprise.telephone && html`<small class="block">${entreprise.telephone}</small>`}</dd></div>
      ${children}
    </dl>`;
}
