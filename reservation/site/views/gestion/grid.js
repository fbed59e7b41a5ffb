// The days side by side, hours downwards. On a narrow screen several days are lists instead: the
// same elements, placed otherwise by gestion.css.
//
// One stop of the Tab key: within, arrows go from block to block and from day to day.
import { html, useEffect, useRef, useState } from '../../vendor/htm-3.1.1.js';
import { clockIn, longDay, shortDay, shortWeekday, timeOf, today } from '../../dates.js';
import { Icon } from '../../parts/page.js';
import { t } from '../../texts.js';
import { dayLayout, hourHeight, rangeOf } from './layout.js';
import { clock, daysOf, minuteOf, nameOf } from './reading.js';

export function Grid({ calendar, zone, onGap, onVisit }) {
  const days = daysOf(calendar.first, calendar.last).map((day) => dayLayout(day, calendar));
  const range = rangeOf(days);
  const [current, point] = useState(null);
  const grid = useRef();
  const keys = days.flatMap(({ blocks }) => blocks.map((one) => one.key));
  const stop = keys.includes(current) ? current : keys[0];
  const hours = Array.from({ length: (range.to - range.from) / 60 }, (_, n) => range.from + n * 60);
  const press = (event) => {
    const next = neighbour(grid.current, event);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  const hour = hourHeight(days);
  const draw = { range, hour, zone, stop, onGap, onVisit };
  return html`
    <p class="unseen" id="grid-help">${t('gridHelp')}</p>
    <div ref=${grid} class="grid ${days.length > 1 ? 'several' : ''}" role="group" aria-label=${t('calendar')} aria-describedby="grid-help"
      style=${{ '--hour': `${hour}rem`, '--hours': hours.length, '--days': days.length }}
      onKeyDown=${press} onFocusCapture=${(event) => event.target.dataset.key && point(event.target.dataset.key)}>
      <div class="ruler" aria-hidden="true">${hours.map((minute) => html`<span>${clock(minute)}</span>`)}</div>
      ${days.map((one) => html`<${Day} key=${one.day} of=${one} ...${draw} />`)}
    </div>`;
}

function Day({ of, range, hour, zone, stop, onGap, onVisit }) {
  const isToday = of.day === today(zone);
  const place = ({ from, to, lane = 0, lanes = 1 }) => ({
    '--from': from - range.from, '--length': to - from, '--lane': lane, '--lanes': lanes,
  });
  return html`
    <section class="day ${isToday ? 'today' : ''}" aria-label=${longDay(of.day)}>
      <h3><span aria-hidden="true">${shortWeekday(of.day)} <b>${shortDay(of.day)}</b></span><span class="unseen">${longDay(of.day)}</span></h3>
      <ul class="notes">${of.notes.map((one) => html`<li class="badge ${one.type === 'ouverture' ? 'good' : ''}">${one.titre}</li>`)}</ul>
      <div class="hours-of-day">
        ${of.open.map((one) => html`<i class="open" style=${place(one)} />`)}
        <ul class="closures">${of.closures.map((one) => html`
          <li class="closure" style=${place({ from: Math.max(one.from, range.from), to: Math.min(one.to, range.to) })}><${Icon} name="closed" /><span>${t('closedFor', { title: one.event.titre })}</span></li>`)}</ul>
        <ol class="blocks">
          ${of.blocks.map((one) => html`
            <li key=${one.key} class=${classOf(one, hour)} style=${place(one)}>
              ${one.kind === 'gap'
                ? html`<${Gap} of=${one} day=${of.day} stop=${stop} onGap=${onGap} />`
                : html`<${Block} of=${one} stop=${stop} onVisit=${onVisit} />`}
            </li>`)}
        </ol>
        ${!of.blocks.length && !of.closures.length && html`<p class="nothing">${t(of.open.length ? 'nothingThatDay' : 'closed')}</p>`}
        ${isToday && html`<${Now} zone=${zone} range=${range} />`}
      </div>
    </section>`;
}

/** A low block has room for one line. */
const classOf = (one, hour) => [
  one.kind === 'gap' ? 'gap' : 'taken', one.beside && 'edged', ((one.to - one.from) / 60) * hour < 3 && 'low',
].filter(Boolean).join(' ');

/** Free time: a click books from about there, the keyboard from its beginning. */
function Gap({ of, day, stop, onGap }) {
  const choose = (event) => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const byMouse = event.detail > 0 && getComputedStyle(event.currentTarget.parentElement).position === 'absolute';
    const minute = of.from + (byMouse ? ((event.clientY - top) / height) * (of.to - of.from) : 0);
    const start = of.starts.findLast((one) => minuteOf(timeOf(one.debut)) <= minute) ?? of.starts[0];
    onGap({ day, debut: start.debut });
  };
  const text = { from: clock(of.from), to: clock(of.to), n: of.places };
  return html`
    <button type="button" class="slot" data-key=${of.key} data-from=${of.from} tabindex=${of.key === stop ? 0 : -1} onClick=${choose}
      aria-label=${t('gapLabel', text)}>
      <span>${clock(of.from)} – ${clock(of.to)}</span><small><${Icon} name="plus" /><span class="label">${of.places > 1 ? t('places', { n: of.places }) : t('free')}</span></small>
    </button>`;
}

/** A visit, or a course with those who come to it. */
function Block({ of, stop, onVisit }) {
  const [first] = of.visits;
  const waits = of.visits.some((one) => one.statut === 'demandee');
  const statut = waits ? 'demandee' : of.visits.length === 1 ? first.statut : 'confirmee';
  const who = of.visits.length > 1 ? t('people', { n: of.places }) : nameOf(first.client);
  return html`
    <button type="button" class="slot ${statut}" data-key=${of.key} data-from=${of.from} tabindex=${of.key === stop ? 0 : -1} onClick=${() => onVisit(of)}>
      <span><span class="at">${timeOf(first.debut)}<span class="end"> – ${timeOf(first.fin)}</span></span> <b>${who}</b></span>
      <small>${first.prestation.nom}${of.free > 0 && of.course && ` · ${t('placesLeft', { n: of.free })}`}</small>
      ${statut !== 'confirmee' && html`<small class="what">${t(statut)}</small>`}
    </button>`;
}

/** Where the clock of the business stands. */
function Now({ zone, range }) {
  const [minute, tick] = useState(() => minuteOf(timeOf(clockIn(zone, Date.now()))));
  useEffect(() => {
    const timer = setInterval(() => tick(minuteOf(timeOf(clockIn(zone, Date.now())))), 20_000);
    return () => clearInterval(timer);
  }, [zone]);
  if (minute < range.from || minute > range.to) return null;
  return html`<div class="now" aria-hidden="true" style=${{ '--from': minute - range.from }}><b>${clock(minute)}</b></div>`;
}

/** The block that an arrow leads to from the one that has the focus. */
function neighbour(grid, event) {
  const columns = [...grid.querySelectorAll('.day')].map((day) => [...day.querySelectorAll('.slot')]);
  const at = columns.findIndex((column) => column.includes(event.target));
  if (at < 0) return null;
  const column = columns[at];
  const row = column.indexOf(event.target);
  const aside = (step) => {
    const others = (step > 0 ? columns.slice(at + 1) : columns.slice(0, at).reverse()).find((one) => one.length);
    const far = (slot) => Math.abs(slot.dataset.from - event.target.dataset.from);
    return others?.reduce((best, slot) => (far(slot) < far(best) ? slot : best));
  };
  return {
    ArrowDown: () => column[row + 1], ArrowUp: () => column[row - 1],
    ArrowRight: () => aside(1), ArrowLeft: () => aside(-1),
    Home: () => column[0], End: () => column.at(-1),
  }[event.key]?.();
}
