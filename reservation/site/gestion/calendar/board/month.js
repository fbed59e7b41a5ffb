// The tiles of a month. EventCalendar lays out the whole board again for each tile, so a tile for
// each booking would block the browser. Each day has few tiles instead.
import { dayOf, lastDayOf, plusDays } from '../../../dates.js';
import { t } from '../../../texts/calendar.js';
import { touches, visitsOf } from '../spans.js';
import { behind, eventEvent, visitsEvent } from './events.js';

/** @import { CalendarDays } from '../reading.js' */
/** @import { Drawing, Drawn } from './events.js' */

// Maximum number of tiles per day, not counting the tile that `lastOf` returns. In a month of six
// weeks, the box of a day has no space for more tiles.
const MOST = 3;

/**
 * Returns the last tile of a day. `rest` contains the tiles that `monthOf` leaves out. If `rest`
 * is a single tile within one day, returns this tile. Otherwise, returns a tile with the number of
 * bookings and events in `rest`.
 * @param {string} day
 * @param {Drawn[]} rest
 */
function lastOf(day, rest) {
  const [{ start, end }] = rest;
  if (rest.length === 1 && dayOf(start) === lastDayOf({ fin: end })) return rest[0];
  const counts = rest.map(({ extendedProps }) => extendedProps.visits?.reservations.length ?? 1);
  const n = counts.reduce((sum, one) => sum + one);
  // EventCalendar sorts tiles by start. With this start, the tile is the last tile of the day.
  const times = { debut: `${day}T23:59:00`, fin: `${day}T23:59:59` };
  return { ...behind('more', times, [], t('moreVisits', { n })), display: 'auto' };
}

/**
 * Returns the tiles of all days. The space of a day goes first to events of the whole business,
 * then to events of persons and rooms, then to bookings.
 * @param {CalendarDays} calendar
 * @param {Drawing} drawing
 * @returns {Drawn[]}
 */
export function monthOf({ first, last, entries }, drawing) {
  const days = /** @type {{ day: string, room: number, rest: Drawn[] }[]} */ ([]);
  for (let day = first; day <= last; day = plusDays(day, 1)) {
    days.push({ day, room: MOST, rest: [] });
  }
  const tiles = entries.flatMap((one) => [
    ...one.events
      .toSorted((a, b) => (a.ressourceId ?? 0) - (b.ressourceId ?? 0))
      .map((event) => eventEvent(drawing, event, [])),
    ...visitsOf(one).map((visits) => visitsEvent(drawing, visits, [])),
  ]);
  const shown = tiles.filter((tile) => {
    const on = days.filter(({ day }) => touches(day)({ debut: tile.start, fin: tile.end }));
    const fits = on.every(({ room }) => room);
    for (const one of on) {
      if (fits) one.room -= 1;
      else one.rest.push(tile);
    }
    return fits;
  });
  return [...shown, ...days.flatMap(({ day, rest }) => (rest.length ? lastOf(day, rest) : []))];
}
