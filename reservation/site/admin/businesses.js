// /admin: all businesses of the installation.
import { dotted } from '../dates.js';
import { Loaded, More, usePagesOf } from '../parts/load.js';
import { Empty } from '../parts/page.js';
import { t } from '../texts/admin.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Console } from './frame.js';

/** @import { ListPage } from '../lists.js' */
/** @import { Entreprise } from '../types.js' */

export default function View() {
  return html`<${Console} path="admin">${() => html`<${List} />`}<//>`;
}

function List() {
  const pages = usePagesOf('api/compte/entreprises', { limite: 50 });
  return html`
    <${Loaded} from=${pages.list} lines=${5}>${(
      /** @type {ListPage<Entreprise>} */ { items },
    ) => html`
      ${items.length > 0 && html`<${Table} items=${items} />`}
      ${!items.length && html`<${Empty}>${t('noBusinessYet')}<//>`}
      <${More} pages=${pages} />`}<//>`;
}

/** @param {{ items: Entreprise[] }} props */
const Table = ({ items }) => html`
  <div class="scroll card">
    <table>
      <thead>
        <tr>
          <th scope="col">${t('name')}</th>
          <th scope="col">${t('town')}</th>
          <th scope="col">${t('contact')}</th>
          <th scope="col">${t('state')}</th>
        </tr>
      </thead>
      <tbody>
        ${items.map(
          ({ id, nom, codePostal, ville, email, telephone, actif }) => html`
          <tr key=${id}>
            <th scope="row"><a href="gestion/${id}/agenda">${nom}</a></th>
            <td>${codePostal} ${ville}</td>
            <td class="muted">${dotted(email, telephone)}</td>
            <td><span class="badge ${actif ? 'good' : 'warn'}">
              ${t(actif ? 'open' : 'notOpen')}
            </span></td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
