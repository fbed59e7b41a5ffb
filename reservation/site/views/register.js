// /inscription?suite=…: an account for customers, or for a business.
import { html, useState } from '../vendor/htm-3.1.1.js';
import { Page, say } from '../parts/page.js';
import { Register } from '../parts/signin.js';
import { address } from '../router.js';
import { add, t } from '../texts.js';
import { onward } from './signin.js';

add({
  iBook: ['Je prends rendez-vous', 'I book'],
  iOffer: ['Je propose mes services', 'I offer services'],
  whoAreYou: ['Vous êtes…', 'You are…'],
  alreadyRegistered: ['Déjà inscrit ?', 'Registered already?'],
});

export default function View({ query }) {
  const [role, choose] = useState(query.get('suite') === 'gestion' ? 'company' : 'student');
  const welcome = () => {
    onward(query);
    say(t('registered'));
  };
  const option = (value, label) => html`
    <label><input type="radio" name="role" checked=${role === value} onChange=${() => choose(value)} />${label}</label>`;
  return html`
    <${Page} title=${t('register')} size="narrow">
      <div class="card">
        <fieldset class="choice">
          <legend>${t('whoAreYou')}</legend>
          ${option('student', t('iBook'))}${option('company', t('iOffer'))}
        </fieldset>
        <${Register} role=${role} onDone=${welcome} />
        <hr />
        <p>${t('alreadyRegistered')} <a href=${address('connexion', { suite: query.get('suite') })}>${t('signIn')}</a></p>
      </div>
    <//>`;
}
