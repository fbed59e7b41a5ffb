// /gestion/{id}/prestations: the services of a business, to add, change and retire.
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { post, put, remove } from '../../api.js';
import { length, price } from '../../dates.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Icon, Loaded, say, useLoad } from '../../parts/page.js';
import { t } from '../../texts.js';
import '../../texts/business.js';
import { Managed, pathOf } from './frame.js';
import { all } from './reading.js';

const EMPTY = {
  nom: '', description: '', dureeMinutes: '30', prix: '', tamponAvant: '0', tamponApres: '0', intervalleMinutes: '',
};

export default function View({ id }) {
  return html`
    <${Managed} id=${id} page="prestations" lead=${t('servicesLead')}>${(entreprise) => html`<${List} entreprise=${entreprise} />`}<//>`;
}

function List({ entreprise }) {
  const path = `${pathOf(entreprise.id)}/prestations`;
  const services = useLoad(() => all(path), [path]);
  const [open, show] = useState(null); // a service, or EMPTY for a new one; {retire: service}
  const close = () => show(null);
  const done = (key) => (one) => {
    close();
    services.again();
    say(t(key, { name: one?.nom }));
  };
  return html`
    <${Loaded} from=${services}>${(found) => html`
      <div><button type="button" class="main" onClick=${() => show(EMPTY)}><${Icon} name="plus" />${t('addService')}</button></div>
      ${found.length
        ? html`<ul class="stack">${found.map((one) => html`<li key=${one.id}><${Card} of=${one} onEdit=${() => show(one)} onRetire=${() => show({ retire: one })} /></li>`)}</ul>`
        : html`<div class="empty"><p>${t('noServices')}</p></div>`}`}<//>
    ${open?.retire && html`<${Retire} of=${open.retire} onClose=${close} onDone=${done('serviceRetired')} />`}
    ${open && !open.retire && html`
      <${Dialog} title=${open.id ? t('changeService') : t('addService')} onClose=${close}>
        <${Service} of=${open} path=${path} onDone=${done('serviceSaved')} reload=${() => { close(); services.again(); }} />
      <//>`}`;
}

function Card({ of, onEdit, onRetire }) {
  const buffers = [of.tamponAvant && t('before', { n: of.tamponAvant }), of.tamponApres && t('after', { n: of.tamponApres })].filter(Boolean);
  return html`
    <article class="card spread">
      <div class="stack tight grow">
        <h2>${of.nom}</h2>
        <p class="muted">${[length(of.dureeMinutes), price(of.prixCentimes), ...buffers].filter(Boolean).join(' · ')}</p>
        ${of.description && html`<p class="small">${of.description}</p>`}
      </div>
      <div class="row">
        <button type="button" class="small" aria-label=${t('changeOf', { name: of.nom })} onClick=${onEdit}><${Icon} name="edit" />${t('change')}</button>
        <button type="button" class="small danger" aria-label=${t('retireOf', { name: of.nom })} onClick=${onRetire}>${t('retire')}</button>
      </div>
    </article>`;
}

const typed = (of) => ({
  ...EMPTY, ...of, prix: of.prixCentimes ? String(of.prixCentimes / 100).replace('.', ',') : '',
  intervalleMinutes: of.intervalleMinutes ?? '',
});

/** What was typed as euros, in cents; NaN where it is no price. */
const cents = (text) => (text.trim() ? Math.round(Number(text.replace(/[\s€]/g, '').replace(',', '.')) * 100) : 0);

function Service({ of, path, onDone, reload }) {
  const form = useForm(typed(of), send, {
    onDone,
    names: { prixCentimes: 'prix' },
    check: ({ prix }) => (Number.isNaN(cents(prix)) ? { prix: t('priceWrong') } : {}),
  });
  function send({ nom, description, prix, intervalleMinutes, ...others }) {
    const [dureeMinutes, tamponAvant, tamponApres] = ['dureeMinutes', 'tamponAvant', 'tamponApres'].map((name) => Number(others[name]));
    const body = {
      nom, description, dureeMinutes, tamponAvant, tamponApres, prixCentimes: cents(prix),
      intervalleMinutes: intervalleMinutes ? Number(intervalleMinutes) : null, actif: true,
    };
    return of.id ? put(`api/prestations/${of.id}`, { ...body, version: of.version }) : post(path, body);
  }
  const minutes = (name, others) => html`<${Field} of=${form} name=${name} type="number" inputmode="numeric" min="0" ...${others} />`;
  return html`
    <${Form} of=${form} action=${t('save')} reload=${reload}>
      <${Field} of=${form} name="nom" label=${t('serviceName')} maxlength="150" />
      <div class="two">
        ${minutes('dureeMinutes', { label: t('lengthMinutes'), min: 1 })}
        <${Field} of=${form} name="prix" label=${t('priceEuros')} inputmode="decimal" required=${false} />
      </div>
      <${Field} of=${form} name="description" as="textarea" rows="2" label=${t('description')} required=${false} maxlength="5000" />
      <details>
        <summary>${t('moreSettings')}</summary>
        <div class="two">
          ${minutes('tamponAvant', { label: t('bufferBefore'), hint: t('bufferHint') })}
          ${minutes('tamponApres', { label: t('bufferAfter') })}
        </div>
        ${minutes('intervalleMinutes', { label: t('interval'), hint: t('intervalHint'), required: false, min: 1 })}
      </details>
    <//>`;
}

function Retire({ of, onClose, onDone }) {
  const form = useForm({}, () => remove(`api/prestations/${of.id}`), { onDone: () => onDone(of) });
  return html`
    <${Dialog} title=${t('retireSure', { name: of.nom })} onClose=${onClose}>
      <p>${t('retireHelp')}</p>
      <${Form} of=${form} danger action=${t('retireYes')} aside=${html`<button type="button" onClick=${onClose}>${t('back')}</button>`} />
    <//>`;
}
