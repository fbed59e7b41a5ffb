// The calendar of some days: read, kept up to date, and the dialogs that open from it.
import { dayOf, today } from '../../dates.js';
import { Dialog } from '../../parts/dialog.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { Button } from '../../parts/page.js';
import { OtherClock } from '../../parts/week.js';
import { t } from '../../texts/gestion.js';
import { html, useEffect, useState } from '../../vendor/htm-3.1.1.js';
import { BlockDialog } from './block.js';
import { Grid } from './grid.js';
import { NewBooking } from './new/booking.js';
import { Pending } from './pending.js';
import { readCalendar } from './reading.js';

/** @import { Entreprise, OwnedReservation, Ressource } from '../../types.js' */
/** @import { BookedBlock } from './layout.js' */
/** @import { Wanted } from './new/booking.js' */
/** @import { CalendarDays, Shown } from './reading.js' */
/** @import { VNode } from '../../vendor/htm-3.1.1.js' */

const REFRESH = 60_000; // ms

/**
 * Moves of the calendar: one step back or on, to the current days, or to those of a day.
 * @typedef {object} Moves
 * @property {{ label: string, go: () => void }} before
 * @property {{ label: string, go: () => void }} after
 * @property {() => void} now
 * @property {(day: string) => void} onDay
 */

/**
 * The open dialog: a new booking at a gap, or the bookings of a block.
 * @typedef {{ gap?: Wanted, block?: Pick<BookedBlock, 'reservations' | 'free'> }} Open
 */

/**
 * With `split`, each member of the team has a column; `filter` chooses `who` is shown.
 * @param {Moves & Shown & { label: string, filter?: VNode | false }} props
 */
export function Calendar({ entreprise, team, first, last, split, who, label, filter, ...moves }) {
  const causes = [entreprise.id, first, last, who?.id, split];
  const read = () => readCalendar({ entreprise, team, first, last, split, who });
  const calendar = useLoad(read, causes);
  const [open, setOpen] = useState(/** @type {Open | null} */ (null));
  useRefresh(read, calendar.set, causes);
  const close = () => setOpen(null);
  const done = () => {
    close();
    read().then(calendar.set, calendar.again);
  };
  /** @param {OwnedReservation} reservation */
  const openRequest = (reservation) => setOpen({ block: { reservations: [reservation], free: 0 } });
  /** @param {Wanted} gap */
  const openGap = (gap) => setOpen({ gap });
  /** @param {BookedBlock} block */
  const openBlock = (block) =>
    setOpen({ block: { ...block, free: block.course ? block.free : 0 } });
  return html`
    <${Loaded} from=${calendar} lines=${6}>${(/** @type {CalendarDays} */ value) => html`
      <${Pending} requests=${value.requests} onDone=${done} onOpen=${openRequest} />
      <${Toolbar} ...${moves} ...${{ first, label, filter }}
        onNew=${() => openGap({ day: firstDay(value, entreprise), ressource: who?.id })} />
      <${OtherClock} debut=${firstStart(value)} zone=${entreprise.fuseau} />
      <div class=${calendar.waiting ? 'fading' : ''}>
        <${Grid} calendar=${value} zone=${entreprise.fuseau}
          onGap=${openGap} onBlock=${openBlock} />
      </div>`}<//>
    ${open && html`<${OpenDialog} ...${{ open, entreprise, team, openGap, close, done }} />`}`;
}

/**
 * @param {{ open: Open, entreprise: Entreprise, team: Ressource[],
 *   openGap: (gap: Wanted) => void, close: () => void, done: () => void }} props
 */
function OpenDialog({ open: { gap, block }, entreprise, team, openGap, close, done }) {
  /** @param {OwnedReservation} like */
  const add = ({ debut, prestationId: prestation, ressource }) =>
    openGap({ day: dayOf(debut), debut, prestation, ressource: ressource?.id });
  if (block) {
    return html`
      <${BlockDialog} ...${{ ...block, entreprise, team }} onClose=${close} onDone=${done}
        onAdd=${add} />`;
  }
  return html`
    <${Dialog} title=${t('newBooking')} onClose=${close}>
      <${NewBooking} ...${{ entreprise, team }} at=${gap} onDone=${done} />
    <//>`;
}

/**
 * @param {Moves & { first: string, label: string, filter?: VNode | false,
 *   onNew: () => void }} props
 */
function Toolbar({ first, label, filter, before, after, now, onDay, onNew }) {
  /** @param {{ target: HTMLInputElement }} event */
  const change = ({ target }) => target.value && onDay(target.value);
  return html`
    <div class="spread toolbar">
      <div class="row">
        <${Button} icon="left" class="round" aria-label=${before.label} onClick=${before.go} />
        <${Button} icon="right" class="round" aria-label=${after.label} onClick=${after.go} />
        <h2 aria-live="polite">${label}</h2>
      </div>
      <div class="row">
        ${filter}
        <${Button} class="small" onClick=${now}>${t('toToday')}<//>
        <label class="goto">
          <span class="unseen">${t('goToDay')}</span>
          <input type="date" value=${first} onChange=${change} />
        </label>
        <${Button} icon="plus" class="main small" onClick=${onNew}>${t('newBooking')}<//>
      </div>
    </div>`;
}

/** @param {CalendarDays} calendar */
const firstStart = ({ entries }) =>
  entries.flatMap(({ reservations }) => reservations.map(({ debut }) => debut))[0];

/**
 * Returns the first of the days that is not over.
 * @param {CalendarDays} calendar
 * @param {Entreprise} entreprise
 */
function firstDay({ first }, { fuseau }) {
  const now = today(fuseau);
  return first > now ? first : now;
}

/**
 * Reads again now and then while the page is visible. An answer for other days is dropped.
 * @param {() => Promise<CalendarDays>} read
 * @param {(value: CalendarDays) => void} show
 * @param {unknown[]} causes
 */
function useRefresh(read, show, causes) {
  useEffect(() => {
    let late = false;
    const refresh = () => {
      if (document.hidden) return;
      read().then(
        (value) => {
          if (!late) show(value);
        },
        () => {}, // the next refresh may succeed
      );
    };
    const timer = setInterval(refresh, REFRESH);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      late = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, causes);
}
