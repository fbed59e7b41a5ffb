// Page /mot-de-passe: asks the API to e-mail a link. With #<token>, sets a new password.
import { post } from '../../api.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Button, Note, Page, say } from '../../parts/page.js';
import { go } from '../../router.js';
import { t } from '../../texts/account.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';

export default function View() {
  const [token, setToken] = useState(() => location.hash.slice(1));
  // The browser's history must not keep the token.
  if (token && location.hash) history.replaceState(history.state, '', location.pathname);
  return token ? html`<${Choose} token=${token} onOld=${() => setToken('')} />` : html`<${Ask} />`;
}

function Ask() {
  const [sentTo, setSentTo] = useState('');
  const form = useForm({ email: '' }, (values) => post('auth/password/forgot', values), {
    light: true,
    onDone: (_, { email }) => setSentTo(email),
  });
  if (sentTo) {
    return html`
      <${Page} key="sent" title=${t('linkSent')} size="narrow">
        <${Note} tone="good" icon="mail" role="status">${t('linkSentHelp', { email: sentTo })}<//>
      <//>`;
  }
  return html`
    <${Page} key="ask" title=${t('forgottenTitle')} lead=${t('forgottenLead')} size="narrow">
      <div class="card">
        <${Form} form=${form} action=${t('sendLink')}>
          <${Field} name="email" type="email" label=${t('email')} autocomplete="username" />
        <//>
      </div>
    <//>`;
}

/** @param {{ token: string, onOld: () => void }} props */
function Choose({ token, onOld }) {
  const send = (/** @type {{ password: string }} */ { password }) =>
    post('auth/password/reset', { token, password });
  const form = useForm({ password: '' }, send, {
    light: true,
    onDone: () => {
      go('connexion', { replace: true });
      say(t('passwordSet'));
    },
  });
  const old = form.trouble?.error.code === 'reset_token_invalid';
  const again = html`
    <${Button} class="plain" onClick=${onOld}>${t('askNewLink')}<//>`;
  return html`
    <${Page} title=${t('newPasswordTitle')} size="narrow">
      <div class="card">
        <${Form} form=${form} action=${t('save')} aside=${old && again}>
          <${Field} name="password" type="password" label=${t('newPassword')}
            hint=${t('newPasswordHint')} autocomplete="new-password" />
        <//>
      </div>
    <//>`;
}
