// Shows, confirms and changes the e-mail address of the account.
import { Prove } from '../../parts/code.js';
import { Button, focusOn, say } from '../../parts/page.js';
import { t } from '../../texts/account.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';

/** @import { Compte } from '../../types.js' */

/** @param {{ compte: Compte, onChanged: (changed: Compte) => void }} props */
export function Address({ compte, onChanged }) {
  const [changing, setChanging] = useState(false);
  const { email, emailProuve } = compte;
  /** @param {boolean} open */
  const change = (open) => {
    setChanging(open);
    focusOn(open ? '[type=email]' : '#change-address');
  };
  const confirmed = () => {
    onChanged({ ...compte, emailProuve: true });
    say(t('addressProven'));
  };
  /** @param {string} changed */
  const done = (changed) => {
    change(false);
    onChanged({ ...compte, email: changed, emailProuve: true });
    say(t('addressChanged', { email: changed }));
  };
  const confirm = html`
    <p>${t('unprovenHelp')}</p>
    <${Prove} email=${email} action=${t('confirmAddress')} onDone=${confirmed} />`;
  const actions = changing
    ? html`
      <p>${t('changeAddressHelp')}</p>
      <${Prove} action=${t('changeAddress')} onDone=${done} />
      <div><${Button} class="plain" onClick=${() => change(false)}>${t('back')}<//></div>`
    : html`
      ${!emailProuve && confirm}
      <div>
        <${Button} id="change-address" onClick=${() => change(true)}>${t('changeAddress')}<//>
      </div>`;
  return html`
    <p class="row">
      <span>${email}</span>
      <span class="badge ${emailProuve ? 'good' : 'warn'}">
        ${t(emailProuve ? 'proven' : 'unproven')}
      </span>
    </p>
    ${actions}`;
}
