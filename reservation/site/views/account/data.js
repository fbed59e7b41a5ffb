// What the service knows of the account: a file of it, and erasing it.
import { file, remove, setSession } from '../../api.js';
import { Question } from '../../parts/dialog.js';
import { save } from '../../parts/download.js';
import { Trouble, useAction } from '../../parts/load.js';
import { Button, say } from '../../parts/page.js';
import { go } from '../../router.js';
import { t } from '../../texts/account.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';

export function Data() {
  const [asking, setAsking] = useState(false);
  const saving = useAction(async () => save(await file('api/compte/export'), 'reservation.json'));
  const deleted = () => {
    setSession(null);
    go('.');
    say(t('deleted'));
  };
  return html`
    <p>${t('myDataHelp')}</p>
    <${Trouble} ...${saving.failed} />
    <div class="actions">
      <${Button} icon="download" onClick=${() => saving.run()}>${t('downloadData')}<//>
      <${Button} class="danger" onClick=${() => setAsking(true)}>${t('deleteAccount')}<//>
    </div>
    ${
      asking &&
      html`
      <${Question} title=${t('deleteSure')} action=${t('deleteYes')} back=${t('deleteNo')}
        send=${() => remove('api/compte')} onDone=${deleted} onClose=${() => setAsking(false)}>
        <p>${t('deleteHelp')}</p>
        <p><strong>${t('deleteFinal')}</strong></p>
      <//>`
    }`;
}
