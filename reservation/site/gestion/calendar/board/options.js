// The options of EventCalendar: appearance, date formats, clicks and drags.
import { clock, clockIn } from '../../../dates.js';
import { locale, words } from '../../../formats.js';
import { rangeOf, stepOf } from './range.js';
import { contentOf, hintOf } from './tile.js';
import { isBlock } from './titles.js';

/** @import { Clicked, Entry } from '../../../vendor/event-calendar-5.10.1.js' */
/** @import { Moved, Selected } from '../../../vendor/event-calendar-5.10.1.js' */
/** @import { Evenement, OwnedReservation, Ressource } from '../../../types.js' */
/** @import { CalendarDays } from '../reading.js' */
/** @import { Visits } from '../spans.js' */
/** @import { Drawing } from './events.js' */

/**
 * Where a booking is dropped: the local start and end ("2030-01-31T09:30"), and the person or the
 * room of the column.
 * @typedef {{ from: string, to: string, member?: Ressource }} Target
 */

/**
 * The calendar with its slots, and the module that checks drops.
 * @typedef {{ calendar: CalendarDays, rules: import('./conflict.js') }} Grabbed
 */

/**
 * The callbacks for clicks and drags. `revert` undoes a drop on the board. `reading` is the promise
 * that `onGrab` returned.
 * @typedef {object} Handlers
 * @property {(visits: Visits, chosen?: OwnedReservation) => void} onVisits
 * @property {(event: Evenement) => void} onEvent
 * @property {() => Promise<Grabbed>} onGrab called when the drag of a booking or an event begins
 * @property {(visits: Visits, target: Target, revert: () => void,
 *   reading: Promise<Grabbed>) => void} onMove
 * @property {(event: Evenement, target: Target, revert: () => void) => void} onMoveEvent
 * @property {(target: Target) => void} onTime
 * @property {(day: string) => void} onDay
 */

/**
 * @typedef {Handlers & Drawing & { calendar: CalendarDays, day: string, zone: string,
 *   team: Ressource[], split?: boolean }} BoardProps
 */

const KINDS = { jour: 'timeGridDay', semaine: 'timeGridWeek', mois: 'dayGridMonth', liste: '' };
const LINE = 26; // px: the height of a tile with one line of text

/**
 * Returns the options that can change while the board is shown.
 * @param {BoardProps} props
 * @param {typeof import('./events.js').drawnOf} [tilesOf] undefined until the board is loaded
 */
export function changingOptions({ calendar, day, team, split, zone, ...drawing }, tilesOf) {
  const { from, to } = rangeOf(calendar);
  const step = stepOf(calendar);
  const slotMinutes = [15, 20, 30, 60].includes(step) ? step : step < 15 ? 15 : 30;
  const shortest = Math.min(60, ...lengthsOf(calendar));
  const hour = Math.min(156, Math.max(72, (60 / shortest) * LINE));
  const shown = calendar.entries.map(({ member }) => member?.id);
  const members = team.filter(({ id }) => shown.includes(id));
  return {
    date: day,
    events: tilesOf?.(calendar, drawing) ?? [],
    resources: split ? members.map(({ id, nom }) => ({ id, title: nom })) : [],
    slotMinutes,
    slotDuration: clock(slotMinutes),
    slotLabelInterval: '01:00',
    slotHeight: Math.round((hour * slotMinutes) / 60),
    snapDuration: clock(step),
    slotMinTime: clock(from),
    slotMaxTime: clock(to),
    scrollTime: clock(from),
    allDaySlot: calendar.entries.some(({ events }) => !events.every(isBlock)),
    timeZone: offsetOf(zone),
  };
}

/** @param {CalendarDays} calendar */
const lengthsOf = ({ entries }) =>
  entries.flatMap(({ reservations }) =>
    reservations.map(({ debut, fin }) => (Date.parse(fin) - Date.parse(debut)) / 60_000),
  );

/** Returns the current UTC offset of a time zone, such as "+02:00". @param {string} zone */
function offsetOf(zone) {
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const minutes = Math.round((Date.parse(`${clockIn(zone, now)}Z`) - now) / 60_000);
  return `${minutes < 0 ? '-' : '+'}${clock(Math.abs(minutes))}`;
}

/** Formats a date of EventCalendar as "2030-01-31T09:30". @param {Date} date */
const wallOfDate = (date) =>
  new Date(+date - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** @type {(options: Intl.DateTimeFormatOptions) => (date: Date) => string} */
const headOf = (options) => (date) => words(new Date(`${wallOfDate(date)}Z`), options);

/** @param {{ current: BoardProps }} latest */
export function fixedOptions(latest) {
  const { vue, split } = latest.current;
  let grabbed = /** @type {{ reading: Promise<Grabbed>, read?: Grabbed }} */ ({});
  /** @param {{ start: Date, end: Date }} times @param {string} [column] @returns {Target} */
  const targetOf = ({ start, end }, column) => ({
    from: wallOfDate(start),
    to: wallOfDate(end),
    member: latest.current.team.find(({ id }) => String(id) === column),
  });
  /** @param {Entry} entry */
  const conflict = (entry) => {
    const { visits } = entry.extendedProps;
    const { read } = grabbed;
    if (entry.display !== 'preview' || !visits || !read) return null;
    const { team } = latest.current;
    const [reservation] = visits.reservations;
    const held = [reservation.ressource?.id, reservation.lieu?.id].map(String);
    const column = entry.resourceIds.find((id) => !held.includes(id)) ?? entry.resourceIds[0];
    const target = targetOf(entry, split ? column : undefined);
    return read.rules.conflictOf(read.calendar, team, reservation, target);
  };
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  return {
    view: split ? 'resourceTimeGridDay' : KINDS[vue],
    locale: locale(),
    firstDay: 1,
    headerToolbar: { start: '', center: '', end: '' },
    dayHeaderFormat: headOf({
      weekday: 'short',
      ...(vue !== 'mois' && { day: 'numeric', month: 'short' }),
    }),
    dayHeaderAriaLabelFormat: headOf(vue === 'mois' ? { weekday: 'long' } : { dateStyle: 'full' }),
    slotLabelFormat: time,
    eventTimeFormat: () => '', // `contentOf` formats the times, because that is faster
    allDayContent: '\u00a0',
    nowIndicator: true,
    // Removes the classes that mark a drag. EventCalendar would set these classes on the whole
    // board, and the browser would recompute the style of every tile.
    theme: (/** @type {object} */ theme) => ({ ...theme, dragging: '', resizingY: '' }),
    slotEventOverlap: false,
    height: vue === 'mois' ? '46rem' : undefined,
    columnWidth: split || vue === 'semaine' ? 'minmax(7.5rem, 1fr)' : undefined,
    longPressDelay: 400,
    selectable: vue !== 'mois',
    editable: true,
    eventContent: (/** @type {{ event: Entry }} */ { event }) =>
      contentOf(event, { split, conflict: conflict(event) }),
    eventClassNames: (/** @type {{ event: Entry }} */ { event }) =>
      conflict(event) ? ['conflict'] : [],
    eventDidMount: (/** @type {{ el: HTMLElement, event: Entry }} */ { el, event }) => {
      el.title = hintOf(event);
    },
    eventClick: (/** @type {{ event: Entry }} */ { event: { extendedProps, start } }) => {
      const { visits, event } = extendedProps;
      if (visits) latest.current.onVisits(visits);
      else if (event) latest.current.onEvent(event);
      else latest.current.onDay(wallOfDate(start).slice(0, 10)); // a tile of kind 'more' (month.js)
    },
    eventDragStart: () => {
      /** @type {typeof grabbed} */
      const grab = { reading: latest.current.onGrab() };
      grabbed = grab;
      grab.reading.then(
        (read) => Object.assign(grab, { read }),
        () => {}, // `onMove` reports the error
      );
    },
    eventDrop: (/** @type {Moved} */ { event, oldEvent, newResource, revert }) => {
      const { visits, event: moved } = event.extendedProps;
      const target = targetOf(event, newResource?.id ?? oldEvent.resourceIds[0]);
      if (visits) latest.current.onMove(visits, target, revert, grabbed.reading);
      else latest.current.onMoveEvent(moved, target, revert);
    },
    eventResize: (/** @type {Moved} */ { event, revert }) => {
      const { event: moved } = event.extendedProps;
      latest.current.onMoveEvent(moved, targetOf(event, event.resourceIds[0]), revert);
    },
    select: (/** @type {Selected} */ { resource, ...times }) =>
      latest.current.onTime(targetOf(times, resource?.id)),
    dateClick: (/** @type {Clicked} */ { date, resource }) =>
      vue === 'mois'
        ? latest.current.onDay(wallOfDate(date).slice(0, 10))
        : latest.current.onTime(targetOf({ start: date, end: date }, resource?.id)),
  };
}
