// /gestion/{id}/prestations: the services of a business, to add, edit and remove.
import { post, put, remove } from '../../api.js';
import { dotted, length, price } from '../../dates.js';
import { all } from '../../lists.js';
import { Dialog, Question } from '../../parts/dialog.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { Button, Empty, say } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Managed, pathOf } from '../frame.js';
import { EntryCard } from './entry.js';

/** @import { Entreprise, Prestation, ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */

/** @param {ViewProps} props */
export default function View({ id }) {
  return html`
    <${Managed} id=${id} page="prestations" lead=${t('servicesLead')}>
      ${(/** @type {Manage} */ { entreprise }) => html`<${List} entreprise=${entreprise} />`}
    <//>`;
}

/** The open dialog. @typedef {{ edit?: Prestation, retire?: Prestation, add?: true }} Open */

/** @param {{ entreprise: Entreprise }} props */
function List({ entreprise }) {
  const path = `${pathOf(entreprise.id)}/prestations`;
  const services = useLoad(() => all(path), [path]);
  const [open, setOpen] = useState(/** @type {Open | null} */ (null));
  const close = () => setOpen(null);
  const reload = () => {
    close();
    services.again();
  };
  return html`
    <${Loaded} from=${services}>${(/** @type {Prestation[]} */ prestations) => html`
      <div>
        <${Button} icon="plus" class="main" onClick=${() => setOpen({ add: true })}>
          ${t('addService')}
        <//>
      </div>
      <ul class="stack">
        ${prestations.map(
          (one) => html`
          <li key=${one.id}>
            <${Card} prestation=${one} onEdit=${() => setOpen({ edit: one })}
              onRemove=${() => setOpen({ retire: one })} />
          </li>`,
        )}
      </ul>
      ${!prestations.length && html`<${Empty}>${t('noServices')}<//>`}`}<//>
    ${open && html`<${OpenDialog} open=${open} onClose=${close} ...${{ path, reload }} />`}`;
}

/** @param {{ open: Open, path: string, onClose: () => void, reload: () => void }} props */
function OpenDialog({ open: { edit, retire }, path, onClose, reload }) {
  /** @param {Prestation} saved */
  const onDone = ({ nom }) => {
    reload();
    say(t('serviceSaved', { name: nom }));
  };
  if (retire) return html`<${Retire} prestation=${retire} onClose=${onClose} onDone=${reload} />`;
  return html`
    <${Dialog} title=${t(edit ? 'editService' : 'addService')} onClose=${onClose}>
      <${ServiceForm} prestation=${edit} ...${{ path, reload, onDone }} />
    <//>`;
}

/**
 * @param {{ prestation: Prestation, onEdit: () => void, onRemove: () => void }} props
 */
function Card({ prestation, onEdit, onRemove }) {
  const { nom, description, dureeMinutes, prixCentimes, tamponAvant, tamponApres } = prestation;
  const facts = dotted(
    length(dureeMinutes),
    price(prixCentimes),
    tamponAvant && t('before', { n: tamponAvant }),
    tamponApres && t('after', { n: tamponApres }),
  );
  return html`
    <${EntryCard} name=${nom} facts=${facts} description=${description} onEdit=${onEdit}
      onRemove=${onRemove} removal=${t('retire')} removalOf=${t('retireOf', { name: nom })} />`;
}

/** Returns euros as cents, or NaN if the text is no price. @param {string} text */
const centsOf = (text) => Math.round(Number(text.replace(/[\s€]/g, '').replace(',', '.')) * 100);

/** Returns what the fields show. @param {Partial<Prestation>} prestation */
const typedOf = ({
  nom = '',
  description = '',
  dureeMinutes = 30,
  prixCentimes = 0,
  tamponAvant = 0,
  tamponApres = 0,
  intervalleMinutes = null,
}) => ({
  nom,
  description,
  dureeMinutes: String(dureeMinutes),
  prix: prixCentimes ? String(prixCentimes / 100).replace('.', ',') : '',
  tamponAvant: String(tamponAvant),
  tamponApres: String(tamponApres),
  intervalleMinutes: String(intervalleMinutes ?? ''),
});

/** @param {ReturnType<typeof typedOf>} values */
const bodyOf = ({ prix, intervalleMinutes, ...values }) => ({
  nom: values.nom,
  description: values.description,
  dureeMinutes: Number(values.dureeMinutes),
  tamponAvant: Number(values.tamponAvant),
  tamponApres: Number(values.tamponApres),
  prixCentimes: centsOf(prix),
  intervalleMinutes: intervalleMinutes ? Number(intervalleMinutes) : null,
  actif: true,
});

/**
 * @param {{ prestation?: Prestation, path: string, onDone: (saved: Prestation) => void,
 *   reload: () => void }} props
 */
function ServiceForm({ prestation, path, onDone, reload }) {
  const form = useForm(
    typedOf(prestation ?? {}),
    (values) =>
      prestation
        ? put(`api/prestations/${prestation.id}`, {
            ...bodyOf(values),
            version: prestation.version,
          })
        : post(path, bodyOf(values)),
    {
      onDone,
      names: { prixCentimes: 'prix' },
      /** @returns {Record<string, string>} */
      check: ({ prix }) => (Number.isNaN(centsOf(prix)) ? { prix: t('priceWrong') } : {}),
    },
  );
  /** @param {string} name @param {string} label @param {object} [others] */
  const minutes = (name, label, others) => html`
    <${Field} ...${{ form, name, label, min: 0, ...others }} type="number" inputmode="numeric" />`;
  return html`
    <${Form} form=${form} action=${t('save')} reload=${reload}>
      <${Field} form=${form} name="nom" label=${t('serviceName')} maxlength="150" />
      <div class="two">
        ${minutes('dureeMinutes', t('lengthMinutes'), { min: 1 })}
        <${Field} form=${form} name="prix" label=${t('priceEuros')} inputmode="decimal"
          required=${false} />
      </div>
      <${Field} form=${form} name="description" as="textarea" rows="2" label=${t('description')}
        required=${false} maxlength="5000" />
      <details>
        <summary>${t('moreSettings')}</summary>
        <div class="two">
          ${minutes('tamponAvant', t('bufferBefore'), { hint: t('bufferHint') })}
          ${minutes('tamponApres', t('bufferAfter'))}
        </div>
        ${minutes('intervalleMinutes', t('interval'), {
          hint: t('intervalHint'),
          required: false,
          min: 1,
        })}
      </details>
    <//>`;
}

/** @param {{ prestation: Prestation, onClose: () => void, onDone: () => void }} props */
function Retire({ prestation: { id, nom }, onClose, onDone }) {
  const retired = () => {
    onDone();
    say(t('serviceRetired', { name: nom }));
  };
  return html`
    <${Question} title=${t('retireSure', { name: nom })} action=${t('retireYes')}
      send=${() => remove(`api/prestations/${id}`)} onDone=${retired} onClose=${onClose}>
      <p>${t('retireHelp')}</p>
    <//>`;
}
