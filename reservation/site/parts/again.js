// The window that asks for a sign-in when a token has ended.
import { html } from '../vendor/htm-3.1.1.js';
import { answerAsked, session } from '../api.js';
import { t } from '../texts.js';
import { Dialog } from './dialog.js';
import { SignIn } from './signin.js';

export const Again = () => html`
  <${Dialog} title=${t('sessionEnded')} onClose=${() => answerAsked(Boolean(session()))}>
    <p>${t('sessionEndedHelp')}</p>
    <${SignIn} onDone=${() => answerAsked(true)} />
  <//>`;
