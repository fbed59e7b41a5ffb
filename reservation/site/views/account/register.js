// Page /inscription?suite=: creates the account of a customer or an owner, then goes to `suite`.
import { Page, say } from '../../parts/page.js';
import { Register } from '../../parts/signin.js';
import { address } from '../../router.js';
import { t } from '../../texts/account.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { onward } from './signin.js';

/** @import { ViewProps } from '../../types.js' */

/** @param {ViewProps} props */
export default function View({ query }) {
  const suite = query.get('suite');
  const [role, setRole] = useState(suite === 'gestion' ? 'company' : 'student');
  const welcome = () => {
    onward(suite);
    say(t('registered'));
  };
  /** @param {string} value @param {string} label */
  const option = (value, label) => html`
    <label>
      <input type="radio" name="role" checked=${role === value}
        onChange=${() => setRole(value)} />${label}
    </label>`;
  return html`
    <${Page} title=${t('register')} size="narrow">
      <div class="card">
        <fieldset class="choice">
          <legend>${t('whatFor')}</legend>
          ${option('student', t('forBooking'))}${option('company', t('forOffering'))}
        </fieldset>
        <${Register} role=${role} onDone=${welcome} />
        <hr />
        <p>
          ${t('alreadyRegistered')}${' '}
          <a href=${address('connexion', { suite })}>${t('signIn')}</a>
        </p>
      </div>
    <//>`;
}
