// Lists of free times to choose from.
import { cache } from '../api.js';
import { dayOf, longDay, timeOf } from '../dates.js';
import { address } from '../router.js';
import { t } from '../texts/booking.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Button } from './page.js';
import { anyOf, freeAt } from './people.js';

/** @import { Refusal } from '../api.js' */
/** @import { Entreprise, Ressource, Service, Start } from '../types.js' */

/**
 * The properties of a list of free times.
 * @typedef {object} TimesOf
 * @property {Entreprise} entreprise
 * @property {Service} prestation
 * @property {(start: Start, person?: Ressource) => void} [choose] called on a click. Without
 *   `choose`, the times are links to the booking page
 * @property {Ressource[]} [people] the persons from whom the customer can choose
 * @property {Ressource} [person] the chosen person
 */

/**
 * Returns the address of the page that books a time.
 * @param {Entreprise} entreprise
 * @param {Service} prestation
 * @param {Start} start
 * @param {number} [avec] the id of the person, or 0 for no preference
 */
export const bookingOf = (entreprise, prestation, start, avec) =>
  address(`entreprises/${entreprise.id}/reserver`, {
    prestation: prestation.id,
    creneau: start.id,
    jour: dayOf(start.debut),
    heure: timeOf(start.debut),
    avec,
  });

/**
 * A list of free times. A time can show names:
 * - With `named`, shows the chosen person if that person is free, and otherwise all free persons.
 * - Without `named`, shows a name only if the customer has not chosen a person, and exactly one
 *   person is free.
 * @param {TimesOf & { starts: Start[], named?: boolean }} props
 */
export function Times({ entreprise, prestation, starts, choose, people, person, named }) {
  if (!starts.length) return null;
  /** @param {Start} start */
  const draw = (start) => {
    const free = freeAt(start, people ?? []);
    const only = free.find((one) => one.id === person?.id) ?? (free.length === 1 && free[0]);
    const name = only ? only.nom : named && anyOf(free);
    const shown = name && (named || !person) && html` <small>${name}</small>`;
    const time = timeOf(start.debut);
    const day = longDay(dayOf(start.debut));
    const plain = t('timeOf', { time, day, service: prestation.nom, business: entreprise.nom });
    const label = name ? t('timeWith', { label: plain, name }) : plain;
    if (choose) {
      const click = () => choose(start, only || undefined);
      return html`
        <${Button} class="time" aria-label=${label} onClick=${click}>${time}${shown}<//>`;
    }
    const avec = people?.length ? (only ? only.id : 0) : undefined;
    const keep = () => cache.set('chosen', { entreprise, prestation, start });
    return html`
      <a class="button time" aria-label=${label} onClick=${keep}
        href=${bookingOf(entreprise, prestation, start, avec)}>${time}${shown}</a>`;
  };
  return html`
    <ul class="times">${starts.map((start) => html`<li key=${start.id}>${draw(start)}</li>`)}</ul>`;
}

/**
 * Says that a time is taken, and shows the nearest free times by day.
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
          <${Times} ...${of} named starts=${starts.filter(({ debut }) => dayOf(debut) === day)} />
        </div>`,
      )}
    </div>`;
}
