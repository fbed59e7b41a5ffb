// The dialog that previews and saves new weekly hours.
import { request } from '../../api.js';
import { putHoursOnce } from '../../attempts.js';
import { refusalOf } from '../../errors.js';
import { Dialog, Sure } from '../../parts/dialog.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { say } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Refused } from '../calendar/refused.js';
import { Stranded } from './stranded.js';

/** @import { Effects, Opening } from '../../types.js' */
/** @import { Target } from './hours.js' */

/**
 * If `draft` is null, the person or room `target.own` gets the hours of the business.
 * @param {{ target: Target, draft: Opening[] | null, again: () => void,
 *   onClose: () => void }} props
 */
export function SaveHours({ target: { path, version, own }, draft, again, onClose }) {
  const body = own ? { semaine: draft } : draft;
  const preview = useLoad(() => request('PUT', path, { query: { essai: 1 }, body, version }), []);
  const reload = () => {
    onClose();
    again();
  };
  const onDone = () => {
    reload();
    say(t('saved'));
  };
  /** @param {Effects} effects */
  const draw = (effects) => html`
    <${Stranded} reservations=${effects.reservationsTouchees} />
    <${Sure} action=${t('save')} onBack=${onClose}
      send=${() => putHoursOnce(path, body, version)} ...${{ onDone, reload }} />`;
  const stale = preview.error && refusalOf(preview.error).code === 'stale_version';
  return html`
    <${Dialog} title=${t('newWeek')} onClose=${onClose}>
      ${stale && html`<${Refused} error=${preview.error} reload=${reload} />`}
      ${!stale && html`<${Loaded} from=${preview}>${draw}<//>`}
    <//>`;
}
