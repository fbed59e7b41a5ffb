// Free times, each a click from booking.
import { html } from '../vendor/htm-3.1.1.js';
import { remember } from '../api.js';
import { dayOf, longDay, timeOf } from '../dates.js';
import { address } from '../router.js';
import { t } from '../texts.js';

/** The page that books a time; what is known of it needs not be read there again. */
export const bookingOf = (entreprise, prestation, start) => address(
  `entreprises/${entreprise.id}/reserver`,
  { prestation: prestation.id, creneau: start.id, jour: dayOf(start.debut) },
);

/** Links to book each of `starts`; or buttons, where `choose(start)` is given. */
export function Times({ entreprise, prestation, starts, choose }) {
  const draw = (start) => {
    const label = t('timeOf', {
      time: timeOf(start.debut), day: longDay(dayOf(start.debut)), service: prestation.nom, business: entreprise.nom,
    });
    if (choose) return html`<button type="button" class="time" aria-label=${label} onClick=${() => choose(start)}>${timeOf(start.debut)}</button>`;
    const keep = () => remember('chosen', { entreprise, prestation, start });
    return html`<a class="button time" aria-label=${label} href=${bookingOf(entreprise, prestation, start)} onClick=${keep}>${timeOf(start.debut)}</a>`;
  };
  return html`<ul class="times">${starts.map((start) => html`<li key=${start.id}>${draw(start)}</li>`)}</ul>`;
}

/** What the loser of a race for a time is shown: the nearest free times, by their days. */
export function Alternatives({ refusal, entreprise, prestation, choose }) {
  const near = refusal.body.alternatives ?? [];
  const days = [...new Set(near.map((start) => dayOf(start.debut)))];
  return html`
    <div class="note warn stack" role="alert">
      <p><strong>${t(refusal.body.motif === 'complet' ? 'taken' : 'takenGone')}</strong> ${t(near.length ? 'takenHelp' : 'takenNothing')}</p>
      ${days.map((day) => html`
        <div class="stack tight">
          <p>${longDay(day)}</p>
          <${Times} ...${{ entreprise, prestation, choose }} starts=${near.filter((start) => dayOf(start.debut) === day)} />
        </div>`)}
    </div>`;
}
