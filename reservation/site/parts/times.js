// Free times, each a click away from a booking.
import { remember } from '../api.js';
import { dayOf, longDay, timeOf } from '../dates.js';
import { address } from '../router.js';
import { t } from '../texts/booking.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Button } from './page.js';

/** @import { Refusal } from '../api.js' */
/** @import { Entreprise, Service, Start } from '../types.js' */

/** What a time belongs to; `choose` is called instead of following a link to the booking page.
 * @typedef {{ entreprise: Entreprise, prestation: Service, choose?: (start: Start) => void }}
 *   TimesOf */

/**
 * The address of the page that books a time.
 * @param {Entreprise} entreprise
 * @param {Service} prestation
 * @param {Start} start
 */
export const bookingOf = (entreprise, prestation, start) =>
  address(`entreprises/${entreprise.id}/reserver`, {
    prestation: prestation.id,
    creneau: start.id,
    jour: dayOf(start.debut),
  });

/** @param {TimesOf & { starts: Start[] }} props */
export function Times({ entreprise, prestation, starts, choose }) {
  if (!starts.length) return null;
  /** @param {Start} start */
  const draw = (start) => {
    const time = timeOf(start.debut);
    const day = longDay(dayOf(start.debut));
    const label = t('timeOf', { time, day, service: prestation.nom, business: entreprise.nom });
    if (choose) {
      return html`
        <${Button} class="time" aria-label=${label} onClick=${() => choose(start)}>${time}<//>`;
    }
    const keep = () => remember('chosen', { entreprise, prestation, start });
    return html`
      <a class="button time" aria-label=${label} href=${bookingOf(entreprise, prestation, start)}
        onClick=${keep}>${time}</a>`;
  };
  return html`
    <ul class="times">${starts.map((start) => html`<li key=${start.id}>${draw(start)}</li>`)}</ul>`;
}

/**
 * The nearest free times, by day, when a time is taken.
 * @param {TimesOf & { refusal: Pick<Refusal, 'body'> | null }} props
 */
export function Alternatives({ refusal, ...of }) {
  if (!refusal) return null;
  const { motif, alternatives: starts = [] } = refusal.body;
  const days = [...new Set(starts.map((start) => dayOf(start.debut)))];
  return html`
    <div class="note warn stack" role="alert">
      <p>
        <strong>${t(motif === 'complet' ? 'taken' : 'takenGone')}</strong>
        ${' '}${t(starts.length ? 'takenHelp' : 'takenNothing')}
      </p>
      ${days.map(
        (day) => html`
        <div class="stack tight">
          <p>${longDay(day)}</p>
          <${Times} ...${of} starts=${starts.filter((start) => dayOf(start.debut) === day)} />
        </div>`,
      )}
    </div>`;
}
