// The blocks of a day of the calendar: bookings in lanes, free time and closures. Times are
// minutes of the clock of the business.
import { dayOf, minuteOf, timeOf } from '../../dates.js';

/** @import { Evenement, OwnedReservation, Start } from '../../types.js' */
/** @import { Entries } from './reading.js' */

/** @typedef {{ from: number, to: number }} Span */
/** @typedef {{ debut: string, fin: string }} Times */

/**
 * Free time that can be booked.
 * @typedef {Span & { kind: 'gap', key: string, starts: Start[], places: number }} Gap
 */

/**
 * Bookings of one service at one time. A `course` is a slot of its own, of which `free` places
 * are left. `lane` is the place of the block among `lanes` that overlap; `beside` leaves an edge
 * of the free time beneath, to click on.
 * @typedef {object} Booked
 * @property {'booked'} kind
 * @property {string} key
 * @property {OwnedReservation[]} reservations
 * @property {number} places
 * @property {number} free
 * @property {Start} [start]
 * @property {boolean} course
 * @property {number} lane
 * @property {number} lanes
 * @property {boolean} beside
 */
/** @typedef {Span & Booked} BookedBlock */

/** @typedef {ReturnType<typeof dayLayout>} DayLayout */

const SHOWN = new Set(['demandee', 'confirmee', 'honoree', 'absente']);

/**
 * Returns the part of something that is within a day.
 * @param {string} day
 * @param {Times} times
 */
function within(day, { debut, fin }) {
  const from = dayOf(debut) < day ? 0 : minuteOf(timeOf(debut));
  const to = dayOf(fin) > day ? 1440 : minuteOf(timeOf(fin));
  return { from, to };
}

/** @param {string} day */
const touches =
  (day) =>
  (/** @type {Times} */ { debut, fin }) =>
    dayOf(debut) <= day && fin.slice(0, 16) > `${day}T00:00`;

/**
 * @param {string} day
 * @param {OwnedReservation[]} reservations
 * @param {Start[]} creneaux
 * @returns {BookedBlock[]}
 */
function bookedBlocks(day, reservations, creneaux) {
  const shown = reservations.filter(({ statut }) => SHOWN.has(statut)).filter(touches(day));
  const courses = Map.groupBy(shown, ({ debut, fin, prestationId, ressource }) =>
    [debut, fin, prestationId, ressource?.id].join(),
  );
  return [...courses].map(([key, together]) => {
    const { debut, fin, ressource } = together[0];
    const own = creneaux.filter((one) => one.debut >= debut && one.fin <= fin);
    /** @param {Start} start */
    const isOpen = ({ motif, ressources }) =>
      !motif && (!ressources || ressources.includes(ressource?.id ?? 0));
    const isFree = own.length > 0 && own.every(isOpen);
    return {
      kind: 'booked',
      key,
      reservations: together,
      ...within(day, together[0]),
      places: together.reduce((sum, { places }) => sum + places, 0),
      free: isFree ? Math.min(...own.map(({ placesRestantes }) => placesRestantes)) : 0,
      start: own[0],
      course: isFree && own.length === 1 && own[0].fin === fin,
      lane: 0,
      lanes: 1,
      beside: false,
    };
  });
}

/**
 * Returns the stretches of free slots. The slots of courses are left out: a place in a course is
 * booked from its block.
 * @param {string} day
 * @param {Start[]} creneaux
 * @param {BookedBlock[]} booked
 * @returns {Gap[]}
 */
function gapsOf(day, creneaux, booked) {
  const courses = new Set(booked.filter(({ course }) => course).map(({ start }) => start?.id));
  /** @type {Start[][]} */
  const stretches = [];
  for (const creneau of creneaux.filter(({ motif, id }) => !motif && !courses.has(id))) {
    const last = stretches.at(-1);
    if (last?.at(-1)?.fin === creneau.debut) last.push(creneau);
    else stretches.push([creneau]);
  }
  return stretches.map((starts) => {
    const { debut } = starts[0];
    const { fin } = starts[starts.length - 1];
    const places = Math.max(...starts.map(({ placesRestantes }) => placesRestantes));
    return { kind: 'gap', key: `gap ${debut}`, starts, places, ...within(day, { debut, fin }) };
  });
}

/** @param {string} day @param {Evenement[]} events */
const closuresOf = (day, events) =>
  events
    .filter(({ type }) => type === 'fermeture')
    .filter(touches(day))
    .map((event) => ({ event, ...within(day, event) }));

/** Puts overlapping blocks side by side. @param {BookedBlock[]} blocks */
function setLanes(blocks) {
  /** @type {BookedBlock[]} */
  let cluster = [];
  let until = -1;
  for (const block of blocks.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (block.from >= until) cluster = [];
    const taken = cluster.filter(({ to }) => to > block.from).map(({ lane }) => lane);
    block.lane = [...taken, taken.length].findIndex((_, lane) => !taken.includes(lane));
    cluster.push(block);
    until = Math.max(until, block.to);
    const lanes = Math.max(...cluster.map(({ lane }) => lane)) + 1;
    for (const one of cluster) one.lanes = lanes;
  }
}

/**
 * The layout of a day of the business or of a member: no two blocks of a calendar have one key.
 * `open` are the stretches in which the business is open, `notes` the events that are no closures.
 * @param {string} day
 * @param {Entries} calendar
 */
export function dayLayout(day, calendar) {
  const { member } = calendar;
  const creneaux = calendar.creneaux.filter(({ debut }) => dayOf(debut) === day);
  const booked = bookedBlocks(day, calendar.reservations, creneaux);
  const gaps = gapsOf(day, creneaux, booked);
  setLanes(booked);
  for (const block of booked) {
    block.beside = gaps.some((gap) => block.from < gap.to && gap.from < block.to);
  }
  for (const block of member ? [...gaps, ...booked] : []) block.key += ` ${member?.id}`;
  return {
    day,
    member,
    blocks: [...gaps, ...booked].sort((a, b) => a.from - b.from),
    open: creneaux.filter(({ motif }) => motif !== 'ferme').map((one) => within(day, one)),
    closures: closuresOf(day, calendar.events),
    notes: calendar.events.filter(({ type }) => type !== 'fermeture').filter(touches(day)),
  };
}

/**
 * Returns the whole hours that the days need.
 * @param {DayLayout[]} days
 * @returns {Span}
 */
export function rangeOf(days) {
  const shown = days.flatMap(({ blocks, open }) => [...blocks, ...open]);
  if (!shown.length) return { from: 9 * 60, to: 18 * 60 };
  const from = Math.floor(Math.min(...shown.map((one) => one.from)) / 60) * 60;
  const to = Math.ceil(Math.max(...shown.map((one) => one.to)) / 60) * 60;
  return { from, to: Math.max(from + 240, to) };
}

/**
 * Returns the height of an hour in rem: a finger must hit the shortest block.
 * @param {DayLayout[]} days
 */
export function hourHeight(days) {
  const lengths = days.flatMap(({ blocks }) => blocks.map(({ from, to }) => to - from));
  return Math.min(10, Math.max(4, (60 / Math.min(60, ...lengths)) * 2.25));
}
