// The dialog that asks the user to sign in again when the session has ended.
import { session, signInNeeded } from '../api.js';
import { discard, place } from '../router.js';
import { t } from '../texts/account.js';
import { html, useEffect, useRef } from '../vendor/htm-3.1.1.js';
import { Dialog } from './dialog.js';
import { startAgain } from './page.js';
import { SignIn } from './signin.js';

/** @type {(() => void)[]} */
const waiting = [];

/** Waits until the user has signed in, or has closed the dialog. @returns {Promise<void>} */
export const answer = () =>
  new Promise((resolve) => {
    waiting.push(resolve);
  });

function goOn() {
  signInNeeded.set(0);
  for (const resolve of waiting.splice(0)) resolve();
}

export function Again() {
  const user = session.use()?.user.id;
  // The user may also sign in in another tab. If somebody else signs in, the page must not show or
  // send what this user typed.
  useEffect(() => {
    if (user === signInNeeded.get()) goOn();
    else if (user) startAgain();
  }, [user]);
  // Closes the dialog if the visitor goes to another page, because the unsaved input is gone then.
  const here = place.use();
  const before = useRef(here).current;
  useEffect(() => {
    if (here !== before) goOn();
  }, [here]);
  // If the page needs an account, closing the dialog without signing in leads to the sign-in page.
  // Unsaved changes would be lost, so `discard` asks the user first.
  return html`
    <${Dialog} title=${t('sessionEnded')} onClose=${() => discard(goOn)}>
      <p>${t('sessionEndedHelp')}</p>
      <${SignIn} />
    <//>`;
}
