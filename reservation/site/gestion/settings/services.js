// /gestion/{id}/prestations: the services of a business, to add, edit and remove.
import { remove } from '../../api.js';
import { dotted, length, price } from '../../dates.js';
import { all } from '../../lists.js';
import { Dialog, Question } from '../../parts/dialog.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { Button, Empty, say } from '../../parts/page.js';
import { performersOf } from '../../parts/people.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Managed, pathOf } from '../frame.js';
import { EntryCard } from './entry.js';
import { ServiceForm } from './service.js';

/** @import { Entreprise, Prestation, Ressource, ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */

/** @param {ViewProps} props */
export default function View({ id }) {
  return html`
    <${Managed} id=${id} page="prestations" lead=${t('servicesLead')}>
      ${(/** @type {Manage} */ { entreprise, team }) => html`
        <${List} ...${{ entreprise, team }} />`}
    <//>`;
}

/** The open dialog. @typedef {{ edit?: Prestation, retire?: Prestation, add?: true }} Open */

/** @param {{ entreprise: Entreprise, team: Ressource[] }} props */
function List({ entreprise, team }) {
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
            <${Card} prestation=${one} team=${team} onEdit=${() => setOpen({ edit: one })}
              onRemove=${() => setOpen({ retire: one })} />
          </li>`,
        )}
      </ul>
      ${!prestations.length && html`<${Empty}>${t('noServices')}<//>`}`}<//>
    ${open && html`<${OpenDialog} open=${open} onClose=${close} ...${{ path, team, reload }} />`}`;
}

/**
 * @param {{ open: Open, path: string, team: Ressource[], onClose: () => void,
 *   reload: () => void }} props
 */
function OpenDialog({ open: { edit, retire }, path, team, onClose, reload }) {
  /** @param {Prestation} saved */
  const onDone = ({ nom }) => {
    reload();
    say(t('serviceSaved', { name: nom }));
  };
  if (retire) return html`<${Retire} prestation=${retire} onClose=${onClose} onDone=${reload} />`;
  return html`
    <${Dialog} title=${t(edit ? 'editService' : 'addService')} onClose=${onClose}>
      <${ServiceForm} prestation=${edit} ...${{ path, team, reload, onDone }} />
    <//>`;
}

/**
 * @param {{ prestation: Prestation, team: Ressource[], onEdit: () => void,
 *   onRemove: () => void }} props
 */
function Card({ prestation, team, onEdit, onRemove }) {
  const people = performersOf(prestation, team);
  const isAll = people.length === performersOf({ ressources: [] }, team).length;
  const { nom, description, dureeMinutes, prixCentimes, tamponAvant, tamponApres } = prestation;
  const facts = dotted(
    length(dureeMinutes),
    price(prixCentimes),
    tamponAvant && t('before', { n: tamponAvant }),
    tamponApres && t('after', { n: tamponApres }),
    !isAll && people.map(({ nom }) => nom).join(', '),
    prestation.lieuRequis && t('needsRoom'),
  );
  return html`
    <${EntryCard} name=${nom} facts=${facts} description=${description} onEdit=${onEdit}
      onRemove=${onRemove} removal=${t('retire')} removalOf=${t('retireOf', { name: nom })} />`;
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
