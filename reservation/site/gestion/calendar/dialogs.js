// The dialogs that add a booking, block a time, show bookings, change an event, close a day or
// confirm a move.
import { dayOf } from '../../dates.js';
import { Dialog } from '../../parts/dialog.js';
import { Button } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Closure } from '../settings/closure.js';
import { MoveDialog } from './board/move.js';
import { Block } from './new/block.js';
import { NewBooking } from './new/booking.js';
import { VisitsDialog } from './visits.js';

/** @import { Entreprise, Evenement, OwnedReservation, Ressource } from '../../types.js' */
/** @import { Dropped, Undo } from './board/move.js' */
/** @import { Wanted } from './new/booking.js' */
/** @import { Visits } from './spans.js' */

/**
 * The open dialog. Exactly one of `gap`, `visits`, `event`, `closing` and `dropped` is set.
 * `revert` undoes a drop on the board.
 * @typedef {object} Open
 * @property {Wanted} [gap]
 * @property {Visits} [visits]
 * @property {OwnedReservation} [chosen] the booking in `visits` that the dialog shows first
 * @property {Evenement} [event]
 * @property {string} [closing] the day to close
 * @property {Dropped} [dropped]
 * @property {() => void} [revert]
 */

/**
 * @typedef {{ entreprise: Entreprise, team: Ressource[], manager: boolean,
 *   setOpen: (open: Open) => void, close: () => void,
 *   done: (undoable?: Undo) => void }} DialogProps
 */

/** @param {DialogProps & { open: Open }} props */
export function OpenDialog({ open: { gap, visits, chosen, event, closing, dropped }, ...props }) {
  const { entreprise, team, setOpen, close, done } = props;
  if (gap) return html`<${New} ...${props} gap=${gap} />`;
  if (dropped) {
    return html`
      <${MoveDialog} ...${dropped} zone=${entreprise.fuseau} onClose=${close} onDone=${done}
        reload=${() => done()} />`;
  }
  if (event || closing) {
    return html`
      <${Closure} type=${event?.type ?? 'fermeture'} day=${closing}
        ...${{ event, entreprise, team }} onClose=${close}
        onDone=${() => done()} reload=${() => done()} />`;
  }
  /** @param {OwnedReservation} like */
  const add = ({ debut, prestationId: prestation, ressource }) =>
    setOpen({ gap: { day: dayOf(debut), debut, prestation, ressource: ressource?.id } });
  return html`
    <${VisitsDialog} ...${{ ...visits, chosen, entreprise, team }} onClose=${close}
      onDone=${() => done()} onAdd=${add} />`;
}

/** @param {DialogProps & { gap: Wanted }} props */
function New({ gap, entreprise, team, manager, close, done }) {
  const [blocks, setBlocks] = useState(Boolean(gap.block));
  const of = { entreprise, team, at: gap, onDone: () => done() };
  /** @param {boolean} block @param {string} text */
  const choice = (block, text) => html`
    <${Button} aria-pressed=${block === blocks} onClick=${() => setBlocks(block)}>${text}<//>`;
  const switching = html`
    <div class="views" role="group" aria-label=${t('what')}>
      ${choice(false, t('aBooking'))}${choice(true, t('aBlock'))}
    </div>`;
  return html`
    <${Dialog} title=${t(blocks ? 'newBlock' : 'newBooking')} onClose=${close}>
      ${manager && switching}
      ${blocks ? html`<${Block} ...${of} />` : html`<${NewBooking} ...${of} />`}
    <//>`;
}
