// What a day of a calendar shows, as blocks in lanes: visits, free time and closures. Times are
// minutes of the business's clock, so that a block stands where its clock says.
import { dayOf, timeOf } from '../../dates.js';
import { minuteOf } from './reading.js';

const SHOWN = new Set(['demandee', 'confirmee', 'honoree', 'absente']);

/** From where to where something is within a day; it may have begun before, or go on after. */
function within(day, { debut, fin }) {
  const from = dayOf(debut) < day ? 0 : minuteOf(timeOf(debut));
  const to = dayOf(fin) > day ? 1440 : minuteOf(timeOf(fin));
  return { from, to };
}

const touches = (day) => ({ debut, fin }) => dayOf(debut) <= day && (dayOf(fin) > day || (dayOf(fin) === day && minuteOf(timeOf(fin)) > 0));

/** Visits of one service at one time are one block: a course. `free` is what is left of it. */
function visitsOf(day, calendar, creneaux) {
  const blocks = new Map();
  for (const visit of calendar.visits.filter((one) => SHOWN.has(one.statut)).filter(touches(day))) {
    const key = [visit.debut, visit.fin, visit.prestationId].join();
    const of = blocks.get(key) ?? { kind: 'visit', key, visits: [], ...within(day, visit) };
    of.visits.push(visit);
    blocks.set(key, of);
  }
  for (const block of blocks.values()) {
    const { debut, fin } = block.visits[0];
    const own = creneaux.filter((one) => one.debut >= debut && one.fin <= fin);
    block.places = block.visits.reduce((sum, one) => sum + one.places, 0);
    block.free = own.length && own.every((one) => !one.motif) ? Math.min(...own.map((one) => one.placesRestantes)) : 0;
    block.start = own[0];
    block.course = own.length === 1 && own[0].fin === fin;
  }
  return [...blocks.values()];
}

/** Stretches of free creneaux, but for those of a course, to which one adds somebody there. */
function gapsOf(day, creneaux, visits) {
  const courses = new Set(visits.filter((one) => one.course).map((one) => one.start.id));
  const gaps = [];
  for (const creneau of creneaux.filter((one) => !one.motif && !courses.has(one.id))) {
    const last = gaps.at(-1);
    if (last && last.fin === creneau.debut) Object.assign(last, { fin: creneau.fin, starts: [...last.starts, creneau] });
    else gaps.push({ kind: 'gap', key: `gap ${creneau.debut}`, debut: creneau.debut, fin: creneau.fin, starts: [creneau] });
  }
  return gaps.map((gap) => ({ ...gap, ...within(day, gap), places: Math.max(...gap.starts.map((one) => one.placesRestantes)) }));
}

const closuresOf = (day, events) => events
  .filter((one) => one.type === 'fermeture').filter(touches(day))
  .map((event) => ({ kind: 'closed', key: `closed ${event.id}`, event, ...within(day, event) }));

/** Side by side where they overlap; each gets `lane` and the number of `lanes` beside it. Free time
 *  has no lane: it lies beneath, and `beside` leaves an edge of it to be clicked. */
function inLanes(blocks) {
  const sorted = [...blocks].sort((a, b) => a.from - b.from || b.to - a.to);
  let cluster = [];
  let until = -1;
  const close = () => cluster.forEach((one) => { one.lanes = Math.max(...cluster.map((other) => other.lane)) + 1; });
  for (const block of sorted) {
    if (block.from >= until) {
      close();
      cluster = [];
    }
    const taken = cluster.filter((one) => one.to > block.from).map((one) => one.lane);
    block.lane = [...taken, taken.length].findIndex((_, lane) => !taken.includes(lane));
    cluster.push(block);
    until = Math.max(until, block.to);
  }
  close();
  return sorted;
}

/** {day, blocks, closures, open, notes}: `open` are the stretches in which the business is open. */
export function dayLayout(day, calendar) {
  const creneaux = calendar.creneaux.filter((one) => dayOf(one.debut) === day);
  const visits = visitsOf(day, calendar, creneaux);
  const gaps = gapsOf(day, creneaux, visits);
  const overlaps = (one) => (other) => one.from < other.to && other.from < one.to;
  for (const one of inLanes(visits)) one.beside = gaps.some(overlaps(one));
  const blocks = [...gaps, ...visits].sort((a, b) => a.from - b.from);
  const open = creneaux.filter((one) => one.motif !== 'ferme').map((one) => within(day, one));
  return {
    day, blocks, open, closures: closuresOf(day, calendar.events),
    notes: calendar.events.filter((one) => one.type !== 'fermeture').filter(touches(day)),
  };
}

/** From which to which minute the days are drawn, in whole hours. */
export function rangeOf(days) {
  const shown = days.flatMap(({ blocks, open }) => [...blocks, ...open]);
  if (!shown.length) return { from: 9 * 60, to: 18 * 60 };
  const from = Math.floor(Math.min(...shown.map((one) => one.from)) / 60) * 60;
  return { from, to: Math.max(from + 240, Math.ceil(Math.max(...shown.map((one) => one.to)) / 60) * 60) };
}

/** How high an hour is, in rem: the shortest block must still be one that a finger meets. */
export function hourHeight(days) {
  const shortest = Math.min(60, ...days.flatMap(({ blocks }) => blocks.map((one) => one.to - one.from)));
  return Math.min(10, Math.max(4, (60 / shortest) * 2.25));
}
