// The days side by side, or the members of a team on one day; hours downwards. On a narrow screen
// several columns become lists, by the style sheet alone.
//
// The grid is one stop of the Tab key: arrow keys move between blocks and columns.
import {
  clock,
  clockIn,
  longDay,
  minuteOf,
  plusDays,
  shortDay,
  shortWeekday,
  timeOf,
  today,
} from '../../dates.js';
import { Icon } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html, useEffect, useRef, useState } from '../../vendor/htm-3.1.1.js';
import { dayLayout, hourHeight, rangeOf } from './layout.js';
import { neighbour } from './neighbour.js';
import { BlockButton, GapButton } from './slots.js';

/** @import { BookedBlock, DayLayout, Gap, Span } from './layout.js' */
/** @import { Wanted } from './new/booking.js' */
/** @import { CalendarDays } from './reading.js' */

/**
 * What all days share: the hours and their height in rem, the block that Tab stops at, and what
 * clicks call.
 * @typedef {object} Draw
 * @property {Span} range
 * @property {number} hour
 * @property {string} zone
 * @property {string} stop
 * @property {(gap: Wanted) => void} onGap
 * @property {(block: BookedBlock) => void} onBlock
 */

/**
 * @param {{ calendar: CalendarDays, zone: string, onGap: Draw['onGap'],
 *   onBlock: Draw['onBlock'] }} props
 */
export function Grid({ calendar, zone, onGap, onBlock }) {
  const days = [];
  for (let day = calendar.first; day <= calendar.last; day = plusDays(day, 1)) {
    days.push(...calendar.entries.map((entries) => dayLayout(day, entries)));
  }
  const split = calendar.entries.length > 1;
  const range = rangeOf(days);
  const hour = hourHeight(days);
  const [current, setCurrent] = useState('');
  const grid = useRef(/** @type {HTMLElement | null} */ (null));
  const keys = days.flatMap(({ blocks }) => blocks.map(({ key }) => key));
  const stop = keys.includes(current) ? current : keys[0];
  const hours = Array.from({ length: (range.to - range.from) / 60 }, (_, n) => range.from + n * 60);
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const next = grid.current && neighbour(grid.current, event);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  /** @param {{ target: HTMLElement }} event */
  const focus = ({ target }) => target.dataset.key && setCurrent(target.dataset.key);
  const style = { '--hour': `${hour}rem`, '--hours': hours.length, '--days': days.length };
  return html`
    <p class="unseen" id="grid-help">${t('gridHelp')}</p>
    <div ref=${grid} role="group"
      class="grid ${days.length > 1 ? 'several' : ''} ${split ? 'team' : ''}"
      aria-label=${t('calendar')} aria-describedby="grid-help" style=${style}
      onKeyDown=${press} onFocusCapture=${focus}>
      <div class="ruler" aria-hidden="true">
        ${hours.map((minute) => html`<span>${clock(minute)}</span>`)}
      </div>
      ${days.map(
        (day) => html`
        <${Day} key=${`${day.day} ${day.member?.id}`} layout=${day}
          ...${{ split, range, hour, zone, stop, onGap, onBlock }} />`,
      )}
    </div>`;
}

/** @param {Draw & { layout: DayLayout, split: boolean }} props */
function Day({ layout, split, range, hour, zone, stop, onGap, onBlock }) {
  const { day, member, blocks, open, closures, notes } = layout;
  const isToday = day === today(zone);
  const name = split ? member?.nom : undefined;
  const isRoom = member?.genre === 'lieu';
  const nothing = t(isRoom ? 'nothingBooked' : open.length ? 'nothingThatDay' : 'closed');
  return html`
    <section class="day ${isToday ? 'today' : ''}" aria-label=${name ?? longDay(day)}>
      <h3>
        ${name && html`<b>${name}</b>`}
        ${
          !name &&
          html`
          <span aria-hidden="true">${shortWeekday(day)} <b>${shortDay(day)}</b></span>
          <span class="unseen">${longDay(day)}</span>`
        }
      </h3>
      <ul class="notes">
        ${notes.map(
          ({ type, titre }) => html`
          <li class="badge ${type === 'information' ? '' : 'good'}">${titre}</li>`,
        )}
      </ul>
      <div class="hours-of-day">
        ${open.map((one) => html`<i class="open" style=${placeOf(one, range)} />`)}
        <ul class="closures">
          ${closures.map(
            ({ event, from, to }) => html`
            <li class="closure" style=${placeOf(clipped({ from, to }, range), range)}>
              <${Icon} name="closed" /><span>${t('closedFor', { title: event.titre })}</span>
            </li>`,
          )}
        </ul>
        <ol class="blocks">
          ${blocks.map(
            (block) => html`
            <li key=${block.key} class=${classOf(block, hour)} style=${placeOf(block, range)}>
              <${block.kind === 'gap' ? GapButton : BlockButton} block=${block}
                ...${{ day, member, stop, onGap, onBlock }} />
            </li>`,
          )}
        </ol>
        ${!blocks.length && !closures.length && html`<p class="nothing">${nothing}</p>`}
        ${isToday && html`<${Now} zone=${zone} range=${range} />`}
      </div>
    </section>`;
}

/** @param {Span} span @param {Span} range */
const clipped = ({ from, to }, range) => ({
  from: Math.max(from, range.from),
  to: Math.min(to, range.to),
});

/** @param {Span & { lane?: number, lanes?: number }} span @param {Span} range */
const placeOf = ({ from, to, lane = 0, lanes = 1 }, range) => ({
  '--from': from - range.from,
  '--length': to - from,
  '--lane': lane,
  '--lanes': lanes,
});

const LOW = 3; // rem: a block of this height has room for one line

/** @param {Gap | BookedBlock} block @param {number} hour */
function classOf(block, hour) {
  const low = ((block.to - block.from) / 60) * hour < LOW ? 'low' : '';
  if (block.kind === 'gap') return `gap ${low}`;
  return `taken ${block.beside ? 'edged' : ''} ${low}`;
}

/** @param {string} zone */
const minuteNow = (zone) => minuteOf(timeOf(clockIn(zone, Date.now())));

/** A line at the current time of the business. @param {{ zone: string, range: Span }} props */
function Now({ zone, range }) {
  const [minute, setMinute] = useState(() => minuteNow(zone));
  useEffect(() => {
    const timer = setInterval(() => setMinute(minuteNow(zone)), 20_000);
    return () => clearInterval(timer);
  }, [zone]);
  const shown = minute >= range.from && minute <= range.to;
  return (
    shown &&
    html`
    <div class="now" aria-hidden="true" style=${{ '--from': minute - range.from }}>
      <b>${clock(minute)}</b>
    </div>`
  );
}
