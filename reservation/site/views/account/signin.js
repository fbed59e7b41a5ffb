// Page /connexion?suite=: signs in, then goes to `suite`.
import { session } from '../../api.js';
import { Page } from '../../parts/page.js';
import { SignIn } from '../../parts/signin.js';
import { address, go } from '../../router.js';
import { t } from '../../texts/account.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { ViewProps } from '../../types.js' */

/**
 * Goes to `suite` if `suite` is an address of this site. Otherwise, goes to the start page for the
 * visitor's role.
 * @param {string | null} suite
 */
export function onward(suite) {
  const home = session.get()?.user.role === 'company' ? 'gestion' : '.';
  const { href } = Object.assign(document.createElement('a'), { href: suite || home }); // absolute
  go(href.startsWith(new URL('.', document.baseURI).href) ? href : home, { replace: true });
}

/** @param {ViewProps} props */
export default function View({ query }) {
  const suite = query.get('suite');
  return html`
    <${Page} title=${t('signIn')} size="narrow">
      <div class="card">
        <div class="stack"><${SignIn} onDone=${() => onward(suite)} /></div>
        <hr />
        <p>
          ${t('noAccount')}${' '}
          <a href=${address('inscription', { suite })}>${t('register')}</a>
        </p>
      </div>
    <//>`;
}
