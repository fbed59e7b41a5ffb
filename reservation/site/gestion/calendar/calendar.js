// The calendar: reads and refreshes the shown days, and opens the dialogs.
import { notLoaded } from '../../api.js';
import { today } from '../../dates.js';
import { refusalOf } from '../../errors.js';
import { Loaded, Trouble, useAction, useLoad } from '../../parts/load.js';
import { OtherClock } from '../../parts/names.js';
import { Button, Note, say } from '../../parts/page.js';
import { t } from '../../texts/calendar.js';
import { html, useRef, useState } from '../../vendor/htm-3.1.1.js';
import { manages } from '../frame.js';
import { heldBy } from '../team/members.js';
import { Board } from './board/board.js';
import { handlersOf } from './board/handlers.js';
import { huesOf, storeColouring, storedColouring } from './board/hues.js';
import { Legend } from './board/legend.js';
import { FirstSteps, Unconfirmed } from './first.js';
import { List } from './list.js';
import { Pending } from './pending.js';
import { readCalendar } from './reading.js';
import { useRefresh } from './refresh.js';
import { Toolbar } from './toolbar.js';

/** @import { Entreprise, OwnedReservation } from '../../types.js' */
/** @import { Manage } from '../frame.js' */
/** @import { DialogProps, Open } from './dialogs.js' */
/** @import { Undo } from './board/move.js' */
/** @import { Wanted } from './new/booking.js' */
/** @import { CalendarDays, Shown } from './reading.js' */
/** @import { Moves } from './toolbar.js' */

/** @param {Moves & Shown & Pick<Manage, 'reload'>} props */
export function Calendar({ label, before, after, filter, day, reload, ...shown }) {
  const { entreprise, team, staff, vue, first, last, split, who } = shown;
  const [changes, setChanges] = useState(0); // to read again, and to ignore earlier reads
  const causes = [entreprise.id, vue, first, last, who?.id, split, changes];
  const latest = useRef(shown);
  latest.current = shown;
  const read = async () => {
    try {
      return await readCalendar(latest.current);
    } catch (error) {
      if (refusalOf(error).status !== 400) throw error;
      await reload(); // somebody may have left the team
      return readCalendar(latest.current);
    }
  };
  const calendar = useLoad(read, causes);
  const [open, setOpen] = useState(/** @type {Open | null} */ (null));
  const [undo, setUndo] = useState(/** @type {Undo | null} */ (null));
  const [by, setBy] = useState(storedColouring);
  useRefresh(read, calendar.set, causes);
  const close = () => {
    open?.revert?.();
    setOpen(null);
  };
  /** @param {Undo} [undoable] */
  const done = (undoable) => {
    setOpen(null);
    setUndo(undoable ?? null);
    if (undoable) say(undoable.text);
    setChanges((n) => n + 1);
  };
  const manager = !staff && manages(entreprise);
  /** @param {OwnedReservation} reservation */
  const openRequest = (reservation) =>
    setOpen({ visits: { key: '', reservations: [reservation], free: 0 } });
  /** @param {CalendarDays} value */
  const draw = (value) => {
    const { legend, hueOf } = huesOf(value, by);
    const handlers = handlersOf({ value, shown, manager, setOpen });
    const board = html`
      <${Board} key=${vue === 'mois' ? 'month' : 'days'} zone=${entreprise.fuseau}
        ...${{ calendar: value, day, team, vue, split, manager, hueOf, ...handlers }} />`;
    return html`
      <${Pending} requests=${value.requests} onDone=${() => done()} onOpen=${openRequest} />
      ${manager && html`<${Unconfirmed} entreprise=${entreprise} />`}
      ${manager && html`<${FirstSteps} ...${{ entreprise, team }} calendar=${value} />`}
      <${Toolbar} ...${{ vue, day, label, before, after, filter }}
        onNew=${() => setOpen({ gap: { day: firstDay(value, day, entreprise), ...heldBy(who) } })}
        onClosing=${manager && vue === 'jour' && (() => setOpen({ closing: day }))} />
      <${OtherClock} starts=${bookingsOf(value)} zone=${entreprise.fuseau} />
      ${undo && html`<${UndoNote} key=${undo.text} undo=${undo} onDone=${done} />`}
      <div class="agenda ${vue} ${calendar.waiting ? 'fading' : ''}">
        ${vue !== 'liste' && board}
        <${Legend} items=${legend} by=${by} choice=${team.length > 1}
          onChange=${(/** @type {typeof by} */ next) => {
            storeColouring(next);
            setBy(next);
          }} />
        <${List} calendar=${value} brief=${vue === 'mois'} manager=${manager}
          onVisits=${handlers.onVisits} onEvent=${handlers.onEvent}
          onGap=${(/** @type {Wanted} */ gap) => setOpen({ gap })} />
      </div>`;
  };
  const dialog = html`
    <${Opening} ...${{ open, entreprise, team, manager, setOpen, close, done }} />`;
  return html`
    <${Loaded} from=${calendar} lines=${6}>${draw}<//>
    ${open && dialog}`;
}

/**
 * Loads and shows a dialog.
 * @param {DialogProps & { open: Open }} props
 */
function Opening(props) {
  const dialogs = useLoad(() => import('./dialogs.js').catch(notLoaded), []);
  if (dialogs.error) return html`<${Trouble} error=${dialogs.error} again=${dialogs.again} />`;
  return dialogs.value && html`<${dialogs.value.OpenDialog} ...${props} />`;
}

/** @param {{ undo: Undo, onDone: (undoable?: Undo) => void }} props */
function UndoNote({ undo, onDone }) {
  const { run, busy, failed } = useAction(async () => {
    await undo.run();
    say(t('undone'));
    onDone();
  });
  const action = html`
    <${Button} class="small" icon="swap" aria-disabled=${busy} onClick=${() => run()}>
      ${t('undoChange')}
    <//>`;
  return html`
    <${Note} tone="good" icon="check" action=${action}>
      ${undo.text} ${undo.warning}
    <//>
    <${Trouble} ...${failed} />`;
}

/** @param {CalendarDays} calendar */
const bookingsOf = ({ entries }) => entries.flatMap(({ reservations }) => reservations);

/**
 * Returns the day for a new booking: `day` if the calendar shows `day`, otherwise the first shown
 * day. Replaces a past day with today.
 * @param {CalendarDays} calendar
 * @param {string} day
 * @param {Entreprise} entreprise
 */
function firstDay({ first, last }, day, { fuseau }) {
  const now = today(fuseau);
  const wanted = day >= first && day <= last ? day : first;
  return wanted > now ? wanted : now;
}
