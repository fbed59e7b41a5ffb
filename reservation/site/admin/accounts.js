// /admin/comptes?q=: all accounts, and what an admin does to an account.
import { post, put, session } from '../api.js';
import { dayOf, shortDay } from '../dates.js';
import { Loaded, More, Trouble, useAction, usePagesOf } from '../parts/load.js';
import { Button, Empty, say } from '../parts/page.js';
import { Search } from '../parts/search.js';
import { t } from '../texts/admin.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Console } from './frame.js';

/** @import { ListPage } from '../lists.js' */
/** @import { ViewProps } from '../types.js' */

/**
 * @typedef {{ id: number, email: string, nom: string, prenom: string, creeLe: string,
 *   role: 'student' | 'company' | 'admin', actif: boolean, emailProuve: boolean }} Account
 */

/** @param {ViewProps} props */
export default function View({ query }) {
  return html`
    <${Console} path="admin/comptes">${() => html`<${List} q=${query.get('q') ?? ''} />`}<//>`;
}

/** @param {{ q: string }} props */
function List({ q }) {
  const pages = usePagesOf('api/comptes', { q, limite: 50 });
  const { list } = pages;
  return html`
    <${Search} q=${q} label=${t('findAccount')} hint=${t('findAccountHint')} />
    <${Loaded} from=${list} lines=${5}>${(/** @type {ListPage<Account>} */ { items, next }) => {
      /** @param {Account} changed */
      const replace = (changed) =>
        list.set({ items: items.map((one) => (one.id === changed.id ? changed : one)), next });
      return html`
        ${
          items.length
            ? html`<${Table} items=${items} onChange=${replace} />`
            : html`<${Empty}>${t('noSuchAccount')}<//>`
        }
        <${More} pages=${pages} />`;
    }}<//>`;
}

/** @param {{ items: Account[], onChange: (changed: Account) => void }} props */
const Table = ({ items, onChange }) => html`
  <div class="scroll card">
    <table>
      <thead>
        <tr>
          <th scope="col">${t('name')}</th>
          <th scope="col">${t('role')}</th>
          <th scope="col">${t('since')}</th>
          <th scope="col">${t('state')}</th>
          <th scope="col">${t('actions')}</th>
        </tr>
      </thead>
      <tbody>
        ${items.map((one) => html`<${Row} key=${one.id} account=${one} onChange=${onChange} />`)}
      </tbody>
    </table>
  </div>`;

/** @param {{ account: Account, onChange: (changed: Account) => void }} props */
function Row({ account, onChange }) {
  const { id, email, nom, prenom, role, actif, emailProuve } = account;
  const path = `api/comptes/${id}`;
  const name = `${prenom} ${nom}`.trim() || email;
  const enabling = useAction(async () => onChange(await put(path, { actif: !actif })));
  const proving = useAction(async () => onChange(await post(`${path}/preuve`)));
  const resetting = useAction(async () => {
    await post(`${path}/motdepasse`);
    say(t('resetSent', { email }));
  });
  /** @type {(doing: typeof proving, label: 'prove' | 'reset' | 'disable' | 'enable') => any} */
  const button = (doing, label) => html`
    <${Button} class="small" aria-disabled=${doing.busy} onClick=${() => doing.run()}
      aria-label=${`${t(label)} : ${name}`}>${t(label)}<//>`;
  const isMine = session.get()?.user.id === id;
  return html`
    <tr>
      <th scope="row">${name}<br /><small class="muted">${email}</small></th>
      <td>${t(`role_${role}`)}</td>
      <td>${shortDay(dayOf(account.creeLe))} ${account.creeLe.slice(0, 4)}</td>
      <td>
        <span class="badge ${actif ? 'good' : 'danger'}">${t(actif ? 'active' : 'disabled')}</span>
        ${!emailProuve && html` <span class="badge warn">${t('addressUnproven')}</span>`}
      </td>
      <td>
        <div class="row">
          ${!emailProuve && button(proving, 'prove')}
          ${actif && button(resetting, 'reset')}
          ${!isMine && button(enabling, actif ? 'disable' : 'enable')}
        </div>
        <${Trouble} ...${enabling.failed ?? proving.failed ?? resetting.failed} />
      </td>
    </tr>`;
}
