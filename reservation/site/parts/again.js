// The dialog that asks the visitor to sign in again when the token has expired.
import { answerSignIn, session } from '../api.js';
import { discard } from '../router.js';
import { t } from '../texts/account.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Dialog } from './dialog.js';
import { SignIn } from './signin.js';

// If the current page needs an account, closing the dialog without signing in leads to the sign-in
// page. Unsaved changes would be lost, so `discard` asks the visitor first.
const close = () => (session.get() ? answerSignIn(true) : discard(() => answerSignIn(false)));

export const Again = () => html`
  <${Dialog} title=${t('sessionEnded')} onClose=${close}>
    <p>${t('sessionEndedHelp')}</p>
    <${SignIn} onDone=${() => answerSignIn(true)} />
  <//>`;
