// The dialog that asks the visitor to sign in again when the token has expired.
import { answerSignIn, session } from '../api.js';
import { t } from '../texts/account.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Dialog } from './dialog.js';
import { SignIn } from './signin.js';

export const Again = () => html`
  <${Dialog} title=${t('sessionEnded')} onClose=${() => answerSignIn(Boolean(session.get()))}>
    <p>${t('sessionEndedHelp')}</p>
    <${SignIn} onDone=${() => answerSignIn(true)} />
  <//>`;
