// /admin: all businesses of the installation.
import { dotted } from '../dates.js';
import { PagedRows } from '../gestion/paged.js';
import { usePagesOf } from '../lists/pages.js';
import { Empty } from '../parts/page.js';
import { t } from '../texts/admin.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Console } from './frame.js';

/** @import { Column } from '../gestion/rows.js' */
/** @import { Entreprise } from '../types.js' */

export default function View() {
  return html`<${Console} path="admin"><${List} /><//>`;
}

function List() {
  const pages = usePagesOf('api/compte/entreprises', { limite: 50 });
  return html`
    <${PagedRows} pages=${pages} caption=${t('businesses')} columns=${columns()}
      none=${html`<${Empty}>${t('noBusinessYet')}<//>`} />`;
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
