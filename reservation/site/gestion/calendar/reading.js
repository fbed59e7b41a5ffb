// Reads the data of the calendar for some days.
import { get } from '../../api.js';
import { dayOf, plusDays, today } from '../../dates.js';
import { all } from '../../lists/reading.js';
import { pathOf } from '../frame.js';
import { isOf } from '../team/members.js';
import { closedSpans, isShown, within } from './spans.js';

/** @import { Entreprise, Evenement, Opening, OwnedReservation } from '../../types.js' */
/** @import { Prestation, Ressource, Start } from '../../types.js' */
/** @import { View } from './toolbar.js' */

/**
 * The days and calendars to show. If neither `split` nor `who` is set, the calendar of the whole
 * business is shown.
 * @typedef {object} Shown
 * @property {Entreprise} entreprise
 * @property {Ressource[]} team
 * @property {Ressource} [staff] set if the user may manage only this person's calendar
 * @property {View} vue
 * @property {string} first
 * @property {string} last
 * @property {boolean} [split] shows one calendar for each member of the team
 * @property {Ressource} [who] shows only the calendar of this person or room
 */

/**
 * The slots, bookings and events of a person or room, or of the whole business.
 * @typedef {object} Entries
 * @property {Ressource} [member]
 * @property {Start[]} creneaux
 * @property {OwnedReservation[]} reservations without cancelled and declined ones
 * @property {Evenement[]} events
 */

/**
 * @typedef {object} CalendarDays
 * @property {string} first
 * @property {string} last
 * @property {string} horizon the last day that can be booked
 * @property {Entries[]} entries
 * @property {OwnedReservation[]} requests upcoming requests without an answer, including those
 *   on days that are not shown
 * @property {Prestation[]} services
 * @property {Opening[]} hours
 * @property {boolean} untouched whether the business has never had a booking
 */

/**
 * @param {Shown} shown
 * @returns {Promise<CalendarDays>}
 */
export async function readCalendar({ entreprise, team, first, last, ...shown }) {
  const { id, fuseau, horizonJours } = entreprise;
  const days = { du: first, au: last };
  const of = { entreprise: id, ressource: shown.who?.id };
  const members = shown.split ? team : [shown.who];
  const [reservations, events, requests, services, hours, ...creneaux] = await Promise.all([
    all('api/reservations', { ...of, ...days }),
    all(`${pathOf(id)}/evenements`, days),
    all('api/reservations', { ...of, statut: 'demandee', du: today(fuseau) }),
    all(`${pathOf(id)}/prestations`),
    get(`${pathOf(id)}/semainetype`),
    ...members.map((member) => (shown.vue === 'mois' ? [] : slotsOf(id, days, member))),
  ]);
  const open = requests.filter(({ fin }) => Date.parse(fin) > Date.now());
  const entries = members.map((member, n) => ({
    member,
    creneaux: creneaux[n],
    reservations: reservations.filter(isShown).filter(isOf(member)),
    events: member ? events.filter(concerns(member)) : events.map(named(team)),
  }));
  /** @param {Entries} entry */
  const isUsed = ({ member, reservations }) => (member?.actif ?? true) || reservations.length > 0;
  const untouched =
    !shown.staff &&
    !reservations.length &&
    !(await get('api/reservations', { entreprise: id, limite: 1 })).length;
  const horizon = plusDays(today(fuseau), horizonJours);
  const read = { first, last, horizon, services, hours, requests: open, untouched };
  return { ...read, entries: entries.filter(isUsed) };
}

const MOST_DAYS = 31; // maximum number of days in one request to the API

/**
 * Adds the slots to the calendar of a month. `readCalendar` does not read these slots, because only
 * drag and drop needs the slots.
 * @param {CalendarDays} calendar
 * @param {Shown} shown
 * @returns {Promise<CalendarDays>}
 */
export async function withSlots(calendar, { entreprise, vue, first, last, who }) {
  if (vue !== 'mois') return calendar;
  const parts = [];
  for (let du = first; du <= last; du = plusDays(du, MOST_DAYS)) {
    const end = plusDays(du, MOST_DAYS - 1);
    parts.push(slotsOf(entreprise.id, { du, au: end < last ? end : last }, who));
  }
  const creneaux = (await Promise.all(parts)).flat();
  return { ...calendar, entries: calendar.entries.map((one) => ({ ...one, creneaux })) };
}

/**
 * Reads the slots of a person or of the business. For a room, returns the slots of the business,
 * because a booking starts at a slot of a person. `inRoom` marks when the room is closed or full.
 * @param {number} id
 * @param {{ du: string, au: string }} days
 * @param {Ressource} [member]
 * @returns {Promise<Start[]>}
 */
async function slotsOf(id, days, member) {
  if (member && !member.actif) return [];
  const path = `${pathOf(id)}/creneaux/internes`;
  const query = { ...days, tous: 1 };
  if (member?.genre !== 'lieu') return get(path, { ...query, ressource: member?.id });
  const lieu = member.id;
  const [creneaux, own] = await Promise.all([get(path, query), get(path, { ...query, lieu })]);
  return creneaux.map(inRoom(own));
}

/**
 * Returns a slot whose `motif` is about a room. `own` are the slots of the room. If the room is
 * open and not full, the `motif` is 'lieu': a room alone cannot be booked.
 * @param {Start[]} own
 */
const inRoom = (own) => (/** @type {Start} */ slot) => {
  const day = dayOf(slot.debut);
  const during = own.filter(({ debut, fin }) => debut < slot.fin && slot.debut < fin);
  const isClosed = closedSpans(day, during, within(day, slot)).length > 0;
  const isFull = during.some(({ motif }) => motif === 'complet');
  const open = slot.motif && slot.motif !== 'complet' ? slot.motif : 'lieu';
  return { ...slot, motif: isClosed ? 'ferme' : isFull ? 'complet' : open };
};

/** @param {Ressource} member */
const concerns =
  ({ id }) =>
  (/** @type {Evenement} */ { ressourceId }) =>
    !ressourceId || ressourceId === id;

/** Adds the name of an event's person or room, for `namedTitle`. @param {Ressource[]} team */
const named = (team) => (/** @type {Evenement} */ event) => ({
  ...event,
  whose: team.find(({ id }) => id === event.ressourceId)?.nom,
});
