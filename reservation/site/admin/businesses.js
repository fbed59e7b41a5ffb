// /admin: all businesses of the installation.
import { dotted } from '../dates.js';
import { Rows } from '../gestion/rows.js';
import { More, usePagesOf } from '../lists/pages.js';
import { Loaded } from '../parts/load.js';
import { Empty } from '../parts/page.js';
import { t } from '../texts/admin.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Console } from './frame.js';

/** @import { Column } from '../gestion/rows.js' */
/** @import { ListPage } from '../lists/reading.js' */
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
      ${
        items.length > 0 &&
        html`
        <${Rows} caption=${t('businesses')} columns=${columns()} items=${items} />`
      }
      ${!items.length && html`<${Empty}>${t('noBusinessYet')}<//>`}
      <${More} pages=${pages} />`}<//>`;
}

/** @type {() => Column[]} */
const columns = () => [
  {
    label: t('name'),
    cell: (/** @type {Entreprise} */ { id, nom }) =>
      html`<a href="gestion/${id}/agenda">${nom}</a>`,
  },
  {
    label: t('town'),
    cell: (/** @type {Entreprise} */ { codePostal, ville }) => `${codePostal} ${ville}`,
  },
  {
    label: t('contact'),
    cell: (/** @type {Entreprise} */ { email, telephone }) => dotted(email, telephone),
    minor: true,
  },
  {
    label: t('state'),
    cell: (/** @type {Entreprise} */ { actif }) => html`
      <span class="badge ${actif ? 'good' : 'warn'}">${t(actif ? 'open' : 'notOpen')}</span>`,
  },
];
