// What went wrong with a change; where somebody else was quicker, the way to see what is there now.
import { html } from '../../vendor/htm-3.1.1.js';
import { Icon, Trouble } from '../../parts/page.js';
import { t } from '../../texts.js';

const QUICKER = new Set([409, 412]);

export const Refused = ({ error, again, reload }) => (QUICKER.has(error.status)
  ? html`
    <div class="note warn" role="alert">
      <${Icon} name="alert" /><p>${t('changedMeanwhile')}</p>
      <button type="button" class="small" onClick=${reload}>${t('seePresent')}</button>
    </div>`
  : html`<${Trouble} error=${error} again=${again} />`);
