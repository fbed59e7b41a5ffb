// /gestion/{id}/clients?q=&client=: the customers of a business, and one of them.
import { file } from '../../api.js';
import { dateTime, dotted } from '../../dates.js';
import { nameOf } from '../../parts/booking.js';
import { Dialog } from '../../parts/dialog.js';
import { save } from '../../parts/download.js';
import { Loaded, More, Trouble, useAction, usePagesOf } from '../../parts/load.js';
import { Button, Empty, say } from '../../parts/page.js';
import { address, setQuery } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html, useRef, useState } from '../../vendor/htm-3.1.1.js';
import { Managed, pathOf } from '../frame.js';
import { Import } from './import.js';
import { Badges, One } from './one.js';
import { Words } from './words.js';

/** @import { ListPage } from '../../lists.js' */
/** @import { ViewProps } from '../../types.js' */
/** @import { Customer } from './types.js' */

const PAUSE = 250; // ms without a key before the customers are searched

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const client = query.get('client');
  return html`
    <${Managed} id=${id} page="clients" lead=${client ? '' : t('customersLead')}>${() =>
      client
        ? html`<${One} key=${client} business=${id} id=${client} />`
        : html`<${List} id=${id} q=${query.get('q') ?? ''} />`}<//>`;
}

/** @param {{ id: string, q: string }} props */
function List({ id, q }) {
  const [open, setOpen] = useState(/** @type {'add' | 'import' | null} */ (null));
  const path = `${pathOf(id)}/clients`;
  const pages = usePagesOf(path, { q, limite: 30 });
  const exporting = useAction(async () => save(await file(`${path}.csv`), 'clients.csv'));
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
  return html`
    <${Search} q=${q} />
    <div class="actions">
      <${Button} icon="plus" class="main" onClick=${() => setOpen('add')}>${t('addCustomer')}<//>
      <${Button} onClick=${() => setOpen('import')}>${t('importCustomers')}<//>
      <${Button} icon="download" onClick=${() => exporting.run()}>${t('exportCustomers')}<//>
    </div>
    <${Trouble} ...${exporting.failed} />
    <${Loaded} from=${pages.list} lines=${5}>${(
      /** @type {ListPage<Customer>} */ { items },
    ) => html`
      <ul class="stack">
        ${items.map((one) => html`<li key=${one.id}><${Card} id=${id} customer=${one} /></li>`)}
      </ul>
      ${!items.length && html`<${Empty}>${t(q ? 'noSuchCustomer' : 'noCustomers')}<//>`}
      <${More} pages=${pages} />`}<//>
    ${
      open === 'add' &&
      html`
      <${Dialog} title=${t('addCustomer')} onClose=${close}>
        <${Words} path=${path} onDone=${added} />
      <//>`
    }
    ${open === 'import' && html`<${Import} path=${path} onClose=${close} onDone=${again} />`}`;
}

/** @param {{ q: string }} props */
function Search({ q }) {
  const timer = useRef(0);
  /** @param {{ target: HTMLInputElement }} event */
  const find = ({ target }) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery({ q: target.value.trim() }), PAUSE);
  };
  return html`
    <div class="field" role="search">
      <label for="find-customer">${t('findCustomer')}</label>
      <input id="find-customer" type="search" defaultValue=${q} autocomplete="off"
        placeholder=${t('findCustomerHint')} onInput=${find} />
    </div>`;
}

/** @param {{ id: string, customer: Customer }} props */
function Card({ id, customer }) {
  const { email, telephone, dernierPassage: last, aVenir, absences, bloque } = customer;
  return html`
    <article class="card link stack tight">
      <div class="spread">
        <h2>
          <a href=${address(`gestion/${id}/clients`, { client: customer.id })}>
            ${nameOf(customer)}
          </a>
        </h2>
        <${Badges} ...${{ aVenir, absences, bloque }} />
      </div>
      <p class="muted small">
        ${dotted(telephone, email, last && t('lastVisit', { when: dateTime(last) }))}
      </p>
    </article>`;
}
