// Shows, downloads and deletes the data of the account.
import { request, setSession } from '../../api.js';
import { Dialog } from '../../parts/dialog.js';
import { saveFrom } from '../../parts/download.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Trouble, useAction } from '../../parts/load.js';
import { Button, say } from '../../parts/page.js';
import { go } from '../../router.js';
import { t } from '../../texts/account.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';

export function Data() {
  const [asking, setAsking] = useState(false);
  const saving = useAction(() => saveFrom('api/compte/export', 'reservation.json'));
  return html`
    <p>${t('myDataHelp')}</p>
    <${Trouble} ...${saving.failed} />
    <div class="actions">
      <a class="button" href="compte/donnees">${t('readData')}</a>
      <${Button} icon="download" onClick=${() => saving.run()}>${t('downloadData')}<//>
      <${Button} class="danger" onClick=${() => setAsking(true)}>${t('deleteAccount')}<//>
    </div>
    ${asking && html`<${Erase} onClose=${() => setAsking(false)} />`}`;
}

/** @param {{ onClose: () => void }} props */
function Erase({ onClose }) {
  const form = useForm({ password: '' }, (body) => request('DELETE', 'api/compte', { body }), {
    light: true,
    codes: { invalid_credentials: { field: 'password', text: t('wrongPassword') } },
    onDone: () => {
      setSession(null);
      go('.');
      say(t('deleted'));
    },
  });
  const aside = html`<${Button} onClick=${onClose}>${t('deleteNo')}<//>`;
  return html`
    <${Dialog} title=${t('deleteSure')} onClose=${onClose}>
      <p>${t('deleteHelp')}</p>
      <p><strong>${t('deleteFinal')}</strong></p>
      <${Form} form=${form} action=${t('deleteYes')} aside=${aside} danger>
        <${Field} name="password" type="password" label=${t('password')} hint=${t('ifPassword')}
          required=${null} autocomplete="current-password" />
      <//>
    <//>`;
}
