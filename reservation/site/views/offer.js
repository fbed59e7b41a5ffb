// The card of a business in the results, with the free times of one day.
import { cache, get } from '../api.js';
import { dayOf, dotted, isElsewhere, length, price, zoneName } from '../dates.js';
import { placeOf } from '../formats.js';
import { Icon } from '../parts/page.js';
import { Times } from '../parts/times.js';
import { address } from '../router.js';
import { t } from '../texts/booking.js';
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';

/** @import { Offer, Start } from '../types.js' */

const FEW = 8; // maximum number of times on a card, see `.offer .times` in search.css

/**
 * Shows the first free time. Other times of the same day are loaded when the card becomes visible.
 * @param {{ offer: Offer }} props
 */
export function OfferCard({ offer }) {
  const { prochainCreneau: first, ...entreprise } = offer;
  const { prestation } = first;
  const { id, nom, adresse, ville } = entreprise;
  const card = useRef(/** @type {Element | null} */ (null));
  const [starts, setStarts] = useState(/** @type {Start[]} */ ([first]));
  const day = dayOf(first.debut);
  useEffect(() => {
    const observer = new IntersectionObserver(async ([entry]) => {
      if (!entry.isIntersecting) return;
      observer.disconnect();
      const query = { prestation: prestation.id, du: day, au: day };
      const all = await get(`api/entreprises/${id}/creneaux`, query).catch(() => []);
      if (all.length) setStarts(all);
    });
    if (card.current) observer.observe(card.current);
    return () => observer.disconnect();
  }, []);
  const shown = starts.slice(0, FEW);
  const zone = shown.some(({ debut }) => isElsewhere(debut)) && zoneName(entreprise.fuseau);
  const url = address(`entreprises/${id}`, { prestation: prestation.id, semaine: day });
  const keep = () => cache.set(`api/entreprises/${id}`, entreprise);
  return html`
    <article class="card offer" ref=${card}>
      <div class="stack tight">
        <h3><a href=${url} onClick=${keep}>${nom}</a></h3>
        <p class="with-icon muted small">
          <${Icon} name="pin" />${placeOf({ adresse, ville })}
        </p>
        <p>
          <strong>${prestation.nom}</strong>${' '}
          <span class="muted">
            ${dotted(length(prestation.dureeMinutes), price(prestation.prixCentimes))}
          </span>
        </p>
      </div>
      <div class="stack tight">
        <${Times} ...${{ entreprise, prestation }} starts=${shown} />
        ${zone && html`<small class="block">${t('otherClock', { zone })}</small>`}
        <a class="small" href=${url} aria-label=${`${t('moreTimes')}, ${nom}`}>${t('moreTimes')}</a>
      </div>
    </article>`;
}
