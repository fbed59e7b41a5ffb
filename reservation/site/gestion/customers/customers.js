// /gestion/{id}/clients?q=&tri=&client=: the customers of a business, or one customer.
import { dayAndYear, dayOf } from '../../dates.js';
import { usePages } from '../../lists/pages.js';
import { all, page } from '../../lists/reading.js';
import { nameOf } from '../../parts/booking.js';
import { Dialog } from '../../parts/dialog.js';
import { saveFrom } from '../../parts/download.js';
import { Trouble, useAction } from '../../parts/load.js';
import { Phone } from '../../parts/names.js';
import { Button, Empty, say } from '../../parts/page.js';
import { address, setQuery } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Managed, pathOf } from '../frame.js';
import { PagedRows } from '../paged.js';
import { Find } from '../rows.js';
import { Import } from './import.js';
import { One } from './one.js';
import { Words } from './words.js';

/** @import { ViewProps } from '../../types.js' */
/** @import { Customer } from './types.js' */

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const client = query.get('client');
  return html`
    <${Managed} id=${id} page="clients" lead=${client ? '' : t('customersLead')}>${() =>
      client
        ? html`<${One} key=${client} business=${id} id=${client} />`
        : html`<${List} id=${id} q=${query.get('q') ?? ''} tri=${query.get('tri') ?? ''} />`}<//>`;
}

/**
 * The API sorts customers only by name. To sort by another column, the page loads all customers.
 * `tri` is the order: the number of a column, with a '-' at the end for descending order.
 * @param {{ id: string, q: string, tri: string }} props
 */
function List({ id, q, tri }) {
  const [open, setOpen] = useState(/** @type {'add' | 'import' | null} */ (null));
  const order = tri ? { column: Number.parseInt(tri, 10), down: tri.endsWith('-') } : null;
  const path = `${pathOf(id)}/clients`;
  const byName = !order || (order.column === 0 && !order.down);
  const pages = usePages(
    (more) =>
      byName
        ? page(path, { q, limite: 50, ...more })
        : all(path, { q }).then((items) => ({ items, next: null })),
    [path, q, byName],
  );
  const exporting = useAction(() => saveFrom(`${path}.csv`, 'clients.csv'));
  const close = () => setOpen(null);
  const again = () => {
    close();
    pages.list.again();
  };
  /** @param {Customer} made */
  const added = (made) => {
    again();
    say(t('customerSaved', { who: nameOf(made) }));
  };
  const share = html`<a class="button" href="gestion/${id}/partager">${t('sharePage')}</a>`;
  const none = q
    ? html`<${Empty}>${t('noSuchCustomer')}<//>`
    : html`<${Empty} action=${share}>${t('noCustomers')}<//>`;
  const adding = html`
    <${Dialog} title=${t('addCustomer')} onClose=${close}>
      <${Words} path=${path} onDone=${added} />
    <//>`;
  return html`
    <div class="toolbar">
      <${Find} id="find-customer" label=${t('findCustomer')} hint=${t('findCustomerHint')} q=${q}
        onFind=${(/** @type {string} */ text) => setQuery({ q: text })} />
      <${Button} icon="plus" class="main" onClick=${() => setOpen('add')}>${t('addCustomer')}<//>
      <${Button} onClick=${() => setOpen('import')}>${t('importCustomers')}<//>
      <${Button} icon="download" onClick=${() => exporting.run()}>${t('exportCustomers')}<//>
    </div>
    <${Trouble} ...${exporting.failed} />
    <${PagedRows} caption=${t('pageCustomers')} columns=${columnsOf(id)}
      ...${{ pages, order, none }}
      onOrder=${(/** @type {import('../rows.js').Order} */ { column, down }) =>
        setQuery({ tri: `${column}${down ? '-' : ''}` })} />
    ${open === 'add' && adding}
    ${open === 'import' && html`<${Import} path=${path} onClose=${close} onDone=${again} />`}`;
}

/**
 * @param {string} id
 * @returns {import('../rows.js').Column[]}
 */
const columnsOf = (id) => [
  {
    label: t('nameOf'),
    by: () => 0, // keeps the API's order, which is by last name
    cell: (/** @type {Customer} */ customer) => html`
      <a href=${address(`gestion/${id}/clients`, { client: customer.id })}>
        <b>${nameOf(customer)}</b>
      </a>
      ${customer.bloque && html` <span class="badge danger">${t('blocked')}</span>`}`,
  },
  {
    label: t('phone'),
    cell: ({ telephone }) => telephone && html`<${Phone} number=${telephone} />`,
  },
  { label: t('email'), minor: true, cell: ({ email }) => email },
  {
    label: t('lastVisitLabel'),
    minor: true,
    by: ({ dernierPassage }) => Date.parse(dernierPassage ?? '') || 0,
    cell: ({ dernierPassage: last }) => last && dayAndYear(dayOf(last)),
  },
  { label: t('coming'), number: true, by: ({ aVenir }) => aVenir, cell: ({ aVenir }) => aVenir },
  {
    label: t('missedMany'),
    number: true,
    minor: true,
    by: ({ absences }) => absences,
    cell: ({ absences }) => absences,
  },
];
