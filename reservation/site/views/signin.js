// /connexion?suite=…: sign in, then back to where one came from.
import { html } from '../vendor/htm-3.1.1.js';
import { Page } from '../parts/page.js';
import { SignIn } from '../parts/signin.js';
import { address, go } from '../router.js';
import { add, t } from '../texts.js';

add({
  noAccount: ['Pas encore de compte ?', 'No account yet?'],
});

/** Only a path of this site is gone back to. */
export const back = (query) => new URL(query.get('suite') || '.', document.baseURI);

export function onward(query) {
  const url = back(query);
  const within = url.href.startsWith(new URL('.', document.baseURI).href);
  go(within ? url : '.', { replace: true });
}

export default function View({ query }) {
  return html`
    <${Page} title=${t('signIn')} size="narrow">
      <div class="card">
        <${SignIn} onDone=${() => onward(query)} />
        <hr />
        <p>${t('noAccount')} <a href=${address('inscription', { suite: query.get('suite') })}>${t('register')}</a></p>
      </div>
    <//>`;
}
