// /connexion?suite=…: sign in, then back to where one came from.
import { html } from '../vendor/htm-3.1.1.js';
import { session } from '../api.js';
import { Page } from '../parts/page.js';
import { SignIn } from '../parts/signin.js';
import { address, go } from '../router.js';
import { add, t } from '../texts.js';

add({
  noAccount: ['Pas encore de compte ?', 'No account yet?'],
});

/** To where one came from, if that is on this site; else to where one's work is. */
export function onward(query) {
  const home = session().user.role === 'company' ? 'gestion' : '.';
  const url = new URL(query.get('suite') || home, document.baseURI);
  const within = url.href.startsWith(new URL('.', document.baseURI).href);
  go(within ? url : home, { replace: true });
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
