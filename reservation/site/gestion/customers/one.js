// One customer: contact details, bookings, and the controls that edit, merge or erase the record.
import { get, post, remove } from '../../api.js';
import { dateTime, dotted } from '../../dates.js';
import { keepOpen, More, usePagesOf } from '../../lists/pages.js';
import { entry, nameOf, Status } from '../../parts/booking.js';
import { Dialog, Question, Sure } from '../../parts/dialog.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { Email, Phone } from '../../parts/names.js';
import { Button, Icon, Note, say } from '../../parts/page.js';
import { go } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html, useEffect, useRef, useState } from '../../vendor/htm-3.1.1.js';
import { pathOf } from '../frame.js';
import { Find } from '../rows.js';
import { Words } from './words.js';

/** @import { ListPage } from '../../lists/reading.js' */
/** @import { Reservation } from '../../types.js' */
/** @import { Customer, Known } from './types.js' */

const MOST = 50; // maximum number of upcoming and of past bookings in the answer of the API

/** @param {{ business: string, id: string }} props */
export function One({ business, id }) {
  const path = `api/clients/${id}`;
  const known = useLoad(() => get(path), [path]);
  return html`
    <p><a class="with-icon" href="gestion/${business}/clients">
      <${Icon} name="left" />${t('allCustomers')}
    </a></p>
    <${Loaded} from=${known} lines=${5}>${(/** @type {Known} */ customer) => html`
      <${Shown} key=${customer.version} ...${{ business, path, customer }}
        reload=${known.again} />`}<//>`;
}

/** @param {{ business: string, path: string, customer: Known, reload: () => void }} props */
function Shown({ business, path, customer, reload }) {
  const [open, setOpen] = useState(/** @type {'merge' | 'erase' | null} */ (null));
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const close = () => setOpen(null);
  const who = nameOf(customer);
  const { telephone, email } = customer;
  /** @param {Customer} saved */
  const saved = (saved) => {
    say(t('customerSaved', { who: nameOf(saved) }));
    return reload(); // keeps the form busy: the reload would discard what is typed meanwhile
  };
  const erased = () => {
    go(`gestion/${business}/clients`, { replace: true });
    say(t('customerErased', { who }));
  };
  const merging = html`
    <${Merge} ...${{ business, path, customer }} onClose=${close} onDone=${saved} />`;
  const erasing = html`
    <${Question} title=${t('eraseSure', { who })} action=${t('eraseYes')}
      send=${() => remove(path)} onDone=${erased} onClose=${close}>
      <p>${t('eraseHelp')}</p>
    <//>`;
  return html`
    <section class="card stack">
      <div class="spread">
        <h2 ref=${heading} tabindex="-1">${who}</h2>
        <${Badges} ...${customer} />
      </div>
      <ul class="stack tight">
        ${telephone && entry('phone', html`<${Phone} number=${telephone} />`)}
        ${email && entry('mail', html`<${Email} to=${email} />`)}
      </ul>
    </section>
    <${Visits} title=${t('coming')} visits=${customer.prochaines} none=${t('noComing')} />
    <${Visits} title=${t('past')} visits=${customer.passees} none=${t('noPast')} />
    <section class="card stack">
      <h2>${t('customerRecord')}</h2>
      <${Words} ...${{ customer, path, reload }} onDone=${saved} />
    </section>
    <div class="actions">
      <${Button} onClick=${() => setOpen('merge')}>${t('merge')}<//>
      <${Button} class="danger" onClick=${() => setOpen('erase')}>${t('eraseCustomer')}<//>
    </div>
    ${open === 'merge' && merging}
    ${open === 'erase' && erasing}`;
}

/** @param {{ title: string, visits: Reservation[], none: string }} props */
const Visits = ({ title, visits, none }) => html`
  <section class="card stack">
    <h2>${title}</h2>
    ${!visits.length && html`<p class="muted">${none}</p>`}
    <ul class="stack">
      ${visits.map(
        ({ id, debut, prestation, statut }) => html`
        <li class="spread" key=${id}>
          <a href="reservations/${id}">${dateTime(debut)} · ${prestation.nom}</a>
          <${Status} statut=${statut} />
        </li>`,
      )}
    </ul>
    ${visits.length >= MOST && html`<p class="muted">${t('onlyClosest', { n: MOST })}</p>`}
  </section>`;

/**
 * The dialog that merges another record into the record of `customer`.
 * @param {{ business: string, path: string, customer: Customer, onClose: () => void,
 *   onDone: (merged: Customer) => void }} props
 */
function Merge({ business, path, customer, onClose, onDone }) {
  const [q, setQ] = useState(customer.nom);
  const [other, setOther] = useState(/** @type {Customer | null} */ (null));
  const pages = usePagesOf(`${pathOf(business)}/clients`, { q, limite: 8 });
  const send = () => post(`${path}/fusion`, { client: other?.id });
  const find = (/** @type {string} */ text) => {
    keepOpen(1);
    setQ(text);
  };
  /** @param {Customer} one */
  const label = (one) => dotted(nameOf(one), one.telephone, one.email);
  if (other) {
    return html`
      <${Dialog} title=${t('merge')} onClose=${onClose}>
        <${Note} tone="warn" icon="info">
          ${t('mergeSure', { other: label(other), who: label(customer) })}
        <//>
        <${Sure} action=${t('mergeYes')} send=${send} onDone=${onDone}
          onBack=${() => setOther(null)} />
      <//>`;
  }
  return html`
    <${Dialog} title=${t('merge')} onClose=${onClose}>
      <p>${t('mergeHelp')}</p>
      <${Find} id="merge-find" label=${t('findCustomer')} hint=${t('findCustomerHint')} q=${q}
        onFind=${find} />
      <${Loaded} from=${pages.list}>${(/** @type {ListPage<Customer>} */ { items }) => html`
        <ul class="stack tight" aria-live="polite">
          ${items
            .filter(({ id }) => id !== customer.id)
            .map(
              (one) => html`
              <li key=${one.id}><${Button} onClick=${() => setOther(one)}>${label(one)}<//></li>`,
            )}
        </ul>
        ${
          items.every(({ id }) => id === customer.id) &&
          html`
          <p class="muted">${t('noSuchCustomer')}</p>`
        }
        <${More} pages=${pages} />`}<//>
    <//>`;
}

/** @param {Pick<Customer, 'aVenir' | 'absences' | 'bloque'>} props */
const Badges = ({ aVenir, absences, bloque }) => html`
  <span class="row">
    ${aVenir > 0 && html`<span class="badge good">${t('comingCount', { n: aVenir })}</span>`}
    ${absences > 0 && html`<span class="badge warn">${t('missedCount', { n: absences })}</span>`}
    ${bloque && html`<span class="badge danger">${t('blocked')}</span>`}
  </span>`;
