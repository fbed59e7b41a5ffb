// /admin/comptes?q=: all accounts, with the buttons that change an account.
import { post, put, session } from '../api.js';
import { dayAndYear, dayOf } from '../dates.js';
import { PagedRows } from '../gestion/paged.js';
import { Find } from '../gestion/rows.js';
import { usePagesOf } from '../lists/pages.js';
import { Question } from '../parts/dialog.js';
import { Trouble, useAction } from '../parts/load.js';
import { nameOf } from '../parts/names.js';
import { Button, Empty, say } from '../parts/page.js';
import { setQuery } from '../router.js';
import { t } from '../texts/admin.js';
import { html, useState } from '../vendor/htm-3.1.1.js';
import { Console } from './frame.js';

/** @import { Column } from '../gestion/rows.js' */
/** @import { ViewProps } from '../types.js' */

/**
 * @typedef {{ id: number, email: string, nom: string, prenom: string, creeLe: string,
 *   role: 'student' | 'company' | 'admin', actif: boolean, emailProuve: boolean }} Account
 */

/** @param {ViewProps} props */
export default function View({ query }) {
  return html`
    <${Console} path="admin/comptes"><${List} q=${query.get('q') ?? ''} /><//>`;
}

/** @param {{ q: string }} props */
function List({ q }) {
  const pages = usePagesOf('api/comptes', { q, limite: 50 });
  return html`
    <${Find} id="find-account" label=${t('findAccount')} hint=${t('findAccountHint')} q=${q}
      onFind=${(/** @type {string} */ found) => setQuery({ q: found })} />
    <${PagedRows} pages=${pages} caption=${t('accounts')} columns=${columns(pages.replace)}
      none=${html`<${Empty}>${t('noSuchAccount')}<//>`} />`;
}

/** @type {(onChange: (changed: Account) => void) => Column[]} */
const columns = (onChange) => [
  {
    label: t('name'),
    cell: (/** @type {Account} */ one) => html`
      ${nameOf(one)}<br /><small class="muted">${one.email}</small>`,
  },
  { label: t('role'), cell: (/** @type {Account} */ { role }) => t(`role_${role}`) },
  {
    label: t('since'),
    cell: (/** @type {Account} */ { creeLe }) => dayAndYear(dayOf(creeLe)),
    minor: true,
  },
  {
    label: t('state'),
    cell: (/** @type {Account} */ { actif, emailProuve }) => html`
      <span class="badge ${actif ? 'good' : 'danger'}">${t(actif ? 'active' : 'disabled')}</span>
      ${!emailProuve && html` <span class="badge warn">${t('addressUnproven')}</span>`}`,
  },
  {
    label: t('actions'),
    cell: (/** @type {Account} */ one) =>
      html`<${Actions} key=${one.id} account=${one} onChange=${onChange} />`,
  },
];

/** @param {{ account: Account, onChange: (changed: Account) => void }} props */
function Actions({ account, onChange }) {
  const { id, email, actif, emailProuve } = account;
  const path = `api/comptes/${id}`;
  const name = nameOf(account);
  const [asking, setAsking] = useState(false);
  const asked = { run: () => setAsking(true) };
  const close = () => setAsking(false);
  const enabling = useAction(async () => onChange(await put(path, { actif: true })));
  const proving = useAction(async () => onChange(await post(`${path}/preuve`)));
  const resetting = useAction(async () => {
    await post(`${path}/motdepasse`);
    say(t('resetSent', { email }));
  });
  /**
   * @param {{ busy?: boolean, run: () => unknown }} doing
   * @param {'prove' | 'reset' | 'disable' | 'enable'} label
   */
  const button = ({ busy, run }, label) => html`
    <${Button} class="small" aria-disabled=${busy} onClick=${() => run()}
      aria-label=${t('labelled', { label: t(label), text: name })}>${t(label)}<//>`;
  /** @param {Account} changed */
  const disabled = (changed) => {
    close();
    onChange(changed);
  };
  const question = html`
    <${Question} title=${t('disableSure', { name })} action=${t('disable')}
      send=${() => put(path, { actif: false })} onDone=${disabled} onClose=${close}>
      <p>${t('disableHelp')}</p>
      ${account.role === 'company' && html`<p>${t('disableOwner')}</p>`}
    <//>`;
  const isMine = session.get()?.user.id === id;
  return html`
    <div class="row">
      ${!emailProuve && button(proving, 'prove')}
      ${actif && button(resetting, 'reset')}
      ${!isMine && (actif ? button(asked, 'disable') : button(enabling, 'enable'))}
    </div>
    ${asking && question}
    <${Trouble} ...${enabling.failed ?? proving.failed ?? resetting.failed} />`;
}
