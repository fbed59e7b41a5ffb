// What a calendar shows of some days.
import { get } from '../../api.js';
import { today } from '../../dates.js';
import { all } from '../../lists.js';
import { pathOf } from '../frame.js';

/** @import { Entreprise, Evenement, OwnedReservation, Start } from '../../types.js' */

/**
 * @typedef {object} CalendarDays
 * @property {string} first
 * @property {string} last
 * @property {Start[]} creneaux
 * @property {OwnedReservation[]} reservations
 * @property {Evenement[]} events
 * @property {OwnedReservation[]} requests of whatever day
 */

/**
 * @param {Entreprise} entreprise
 * @param {string} first
 * @param {string} last
 * @returns {Promise<CalendarDays>}
 */
export async function readCalendar({ id, fuseau }, first, last) {
  const days = { du: first, au: last };
  const requested = { entreprise: id, statut: 'demandee', du: today(fuseau) };
  const [creneaux, reservations, events, requests] = await Promise.all([
    get(`${pathOf(id)}/creneaux`, { ...days, tous: 1 }),
    all('api/reservations', { entreprise: id, ...days }),
    all(`${pathOf(id)}/evenements`, days),
    all('api/reservations', requested),
  ]);
  const open = requests.filter(({ fin }) => Date.parse(fin) > Date.now());
  return { first, last, creneaux, reservations, events, requests: open };
}
