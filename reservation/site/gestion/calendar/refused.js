// The message after a failed change to a booking. If the booking or the slot has changed
// meanwhile, a button reloads the data.
import { refusalOf } from '../../errors.js';
import { Trouble } from '../../parts/load.js';
import { Button, Note } from '../../parts/page.js';
import { t } from '../../texts/calendar.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { Code } from '../../api.js' */

/** @type {Set<Code>} */
const CHANGED = new Set(['impossible_transition', 'not_movable', 'slot_taken', 'stale_version']);

/** @param {{ error?: unknown, again?: () => void, reload: () => void }} props */
export function Refused({ error, again, reload }) {
  const changed = error && CHANGED.has(refusalOf(error).code);
  if (!changed) return html`<${Trouble} error=${error} again=${again} />`;
  const action = html`<${Button} class="small" onClick=${reload}>${t('refresh')}<//>`;
  return html`
    <${Note} tone="warn" icon="alert" role="alert" action=${action}>${t('changedMeanwhile')}<//>`;
}
