// Converts bookings, events, free places, closed time and buffers to events of EventCalendar.
import { clock, plusDays } from '../../../dates.js';
import { OPEN } from '../../../states.js';
import { t } from '../../../texts/calendar.js';
import { closedSpans, gapsOf, touches, visitsOf } from '../spans.js';
import { rangeOf } from './range.js';
import { closedOn, isBlock, isClosure, namedTitle } from './titles.js';

/** @import { Evenement, OwnedReservation } from '../../../types.js' */
/** @import { CalendarDays, Entries } from '../reading.js' */
/** @import { Times, Visits } from '../spans.js' */
/** @import { View } from '../toolbar.js' */

/**
 * An event of EventCalendar. `start` and `end` are local times of the business.
 * @typedef {object} Drawn
 * @property {string} id
 * @property {string} start
 * @property {string} end
 * @property {boolean} allDay
 * @property {string[]} resourceIds
 * @property {string} [display]
 * @property {string[]} classNames
 * @property {boolean} startEditable
 * @property {boolean} durationEditable
 * @property {Extended} extendedProps
 */

/**
 * @typedef {object} Extended
 * @property {Visits} [visits]
 * @property {Evenement} [event]
 * @property {string} [label]
 */

/**
 * @typedef {object} Drawing
 * @property {View} vue
 * @property {boolean} manager whether the user may change closures
 * @property {(one: OwnedReservation) => number} hueOf
 */

/** Avoids an end that is not after the start when clocks go back. @param {Times} times */
function timesOf({ debut, fin }) {
  const start = debut.slice(0, 19);
  const end = fin.slice(0, 19);
  const later = new Date(Date.parse(`${start}Z`) + Date.parse(fin) - Date.parse(debut));
  return { start, end: end > start ? end : later.toISOString().slice(0, 19) };
}

/** @param {Entries} entries */
const columnOf = ({ member }) => (member ? [String(member.id)] : []);

/** @param {Drawing} drawing @param {Visits} visits @param {string[]} resourceIds */
export function visitsEvent({ hueOf }, visits, resourceIds) {
  const { key, reservations } = visits;
  const [first] = reservations;
  const asked = reservations.some(({ statut }) => statut === 'demandee');
  const statut = asked ? 'demandee' : reservations.length > 1 ? 'confirmee' : first.statut;
  const ahead = Date.parse(first.debut) > Date.now();
  const alone = reservations.length === 1 && OPEN.has(first.statut) && ahead;
  return {
    id: key,
    ...timesOf(first),
    allDay: false,
    resourceIds,
    classNames: ['visit', statut, `hue-${hueOf(first)}`],
    startEditable: alone,
    durationEditable: false,
    extendedProps: { visits },
  };
}

/** @param {Drawing} drawing @param {Evenement} event @param {string[]} resourceIds */
export function eventEvent({ vue, manager }, event, resourceIds) {
  const block = isBlock(event);
  return {
    id: `event ${event.id}`,
    ...timesOf(event),
    allDay: !block,
    resourceIds,
    classNames: [isClosure(event) ? 'closure' : 'notice'],
    startEditable: block && manager && vue !== 'mois',
    durationEditable: block && manager && vue !== 'mois',
    extendedProps: { event },
  };
}

/**
 * @param {string} kind
 * @param {Times} times
 * @param {string[]} resourceIds
 * @param {string} [label]
 */
export const behind = (kind, times, resourceIds, label) => ({
  id: `${kind} ${times.debut} ${resourceIds}`,
  ...timesOf(times),
  allDay: false,
  resourceIds,
  display: 'background',
  classNames: [kind],
  startEditable: false,
  durationEditable: false,
  extendedProps: { label },
});

/** @param {CalendarDays} calendar @param {Entries} entries */
function closed(calendar, entries) {
  const range = rangeOf(calendar);
  const spans = [];
  for (let day = calendar.first; day <= calendar.last; day = plusDays(day, 1)) {
    const reason = entries.events.filter(isClosure).find(touches(day));
    for (const { from, to } of closedSpans(day, entries.creneaux, range)) {
      const whole = from === range.from && to === range.to;
      const times = { debut: `${day}T${clock(from)}`, fin: `${day}T${clock(to)}` };
      const label = whole ? (reason ? namedTitle(reason) : closedOn(day, calendar.horizon)) : '';
      spans.push(behind('shut', times, columnOf(entries), label));
    }
  }
  return spans;
}

/**
 * Returns the buffers around bookings: full slots that overlap no booking.
 * @param {Entries} entries
 * @param {Visits[]} visits
 */
function buffers(entries, visits) {
  const taken = visits.map(({ reservations: [first] }) => first);
  return entries.creneaux
    .filter(({ motif }) => motif === 'complet')
    .filter(({ debut, fin }) => !taken.some((one) => one.debut < fin && debut < one.fin));
}

/** @param {CalendarDays} calendar @param {Drawing} drawing @returns {Drawn[]} */
export function drawnOf(calendar, drawing) {
  /** @type {Map<string, Drawn>} */
  const drawn = new Map();
  /** Adds to `drawn`. Merges the columns of events with the same id. @param {Drawn} one */
  const add = (one) => {
    const resourceIds = [...(drawn.get(one.id)?.resourceIds ?? []), ...one.resourceIds];
    drawn.set(one.id, { ...one, resourceIds });
  };
  for (const entries of calendar.entries) {
    const columns = columnOf(entries);
    const visits = visitsOf(entries);
    for (const one of visits) add(visitsEvent(drawing, one, columns));
    for (const one of entries.events) add(eventEvent(drawing, one, columns));
    for (const one of closed(calendar, entries)) add(one);
    for (const one of buffers(entries, visits)) add(behind('buffer', one, columns));
    for (const one of gapsOf(entries, visits)) {
      const { places: n } = one;
      if (n > 1) add(behind('places', one, columns, t('placesLeft', { n })));
    }
  }
  return [...drawn.values()];
}
