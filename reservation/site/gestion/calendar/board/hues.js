// The colours of bookings. A colour stands for a service or for a person.
import { readStored, writeStored } from '../../../texts.js';

/** @import { OwnedReservation } from '../../../types.js' */
/** @import { CalendarDays } from '../reading.js' */

const HUES = 8; // number of `--hue-*` colours in styles/tokens.css
const NAME = 'couleurs';

/** @typedef {'prestation' | 'ressource'} ColouredBy */

/** @returns {ColouredBy} */
export const storedColouring = () =>
  readStored('localStorage', NAME) === 'ressource' ? 'ressource' : 'prestation';

/** @param {ColouredBy} by */
export const storeColouring = (by) => writeStored('localStorage', NAME, by);

/**
 * Returns the colours of services. A service has the colour of its id, or the next free colour if
 * an older service has this colour. The colours of up to 8 services differ.
 * @param {number[]} ids
 */
function coloursOf(ids) {
  /** @type {Map<number, number>} */
  const colours = new Map();
  for (const id of ids.toSorted((a, b) => a - b)) {
    const taken = new Set(colours.values());
    let colour = id % HUES;
    while (taken.has(colour) && taken.size < HUES) colour = (colour + 1) % HUES;
    colours.set(id, colour);
  }
  return colours;
}

/**
 * Returns `legend` and `hueOf`. `legend` lists the shown services or persons with their colours,
 * sorted by name. `hueOf` returns the colour of a booking. A service or person has the same colour
 * on all days.
 * @param {CalendarDays} calendar
 * @param {ColouredBy} by
 */
export function huesOf({ entries, services }, by) {
  /** @param {OwnedReservation} one */
  const thing = (one) => (by === 'prestation' ? one.prestation : one.ressource);
  const shown = entries.flatMap(({ reservations }) => reservations);
  const things = shown.map(thing).filter((one) => one !== undefined);
  const colours = coloursOf(by === 'prestation' ? services.map(({ id }) => id) : []);
  /** @param {number} id */
  const hue = (id) => (colours.get(id) ?? id % HUES) + 1;
  const legend = [...new Map(things.map((one) => [one.id, one])).values()]
    .map(({ id, nom }) => ({ id, nom, hue: hue(id) }))
    .sort((a, b) => a.nom.localeCompare(b.nom));
  /** @param {OwnedReservation} one */
  const hueOf = (one) => hue(thing(one)?.id ?? 0);
  return { legend, hueOf };
}
