// The question before unsaved changes are lost.
import { leaving } from '../router.js';
import { t } from '../texts.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Dialog } from './dialog.js';
import { Button } from './page.js';

/** @param {{ leave: () => void }} props */
export function Leave({ leave }) {
  const stay = () => leaving.set(null);
  const lose = () => {
    stay();
    leave();
  };
  return html`
    <${Dialog} title=${t('leaveSure')} onClose=${stay}>
      <p>${t('leaveHelp')}</p>
      <div class="actions">
        <${Button} class="main" onClick=${stay}>${t('leaveNo')}<//>
        <${Button} class="danger" onClick=${lose}>${t('leaveYes')}<//>
      </div>
    <//>`;
}
