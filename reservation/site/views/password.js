// /mot-de-passe: ask for a message; with #<token> of that message, set a new password.
import { html, useState } from '../vendor/htm-3.1.1.js';
import { post } from '../api.js';
import { Field, Form, useForm } from '../parts/form.js';
import { Icon, Page, say } from '../parts/page.js';
import { go } from '../router.js';
import { t } from '../texts.js';
import '../parts/signin.js'; // its texts
import '../texts/account.js';

export default function View() {
  // The token leaves the address at once: it should be in no history.
  const [token, setToken] = useState(() => location.hash.slice(1));
  if (token && location.hash) history.replaceState(null, '', location.pathname);
  return token ? html`<${Choose} token=${token} onOld=${() => setToken('')} />` : html`<${Ask} />`;
}

function Ask() {
  const [sent, tell] = useState('');
  const form = useForm({ email: '' }, (values) => post('auth/password/forgot', values), {
    onDone: () => tell(form.values.email),
  });
  if (sent) {
    return html`
      <${Page} key="sent" title=${t('linkSent')} size="narrow">
        <div class="note good" role="status"><${Icon} name="mail" /><p>${t('linkSentHelp', { email: sent })}</p></div>
      <//>`;
  }
  return html`
    <${Page} key="ask" title=${t('forgottenTitle')} lead=${t('forgottenLead')} size="narrow">
      <div class="card">
        <${Form} of=${form} action=${t('sendLink')}>
          <${Field} of=${form} name="email" type="email" label=${t('email')} autocomplete="username" />
        <//>
      </div>
    <//>`;
}

function Choose({ token, onOld }) {
  const form = useForm({ password: '' }, ({ password }) => post('auth/password/reset', { token, password }), {
    onDone: () => {
      go('connexion', { replace: true });
      say(t('passwordSet'));
    },
  });
  const old = form.trouble && !form.trouble.error.passing && !form.wrong.password;
  const again = old && html`<button type="button" class="plain" onClick=${onOld}>${t('askNewLink')}</button>`;
  return html`
    <${Page} title=${t('newPasswordTitle')} size="narrow">
      <div class="card">
        <${Form} of=${form} action=${t('save')} aside=${again}>
          <${Field} of=${form} name="password" type="password" label=${t('newPassword')} hint=${t('newPasswordHint')} autocomplete="new-password" />
        <//>
      </div>
    <//>`;
}
