// /gestion/{id}/prestations: the services of a business.
import { remove } from '../../api.js';
import { dotted, length, price } from '../../dates.js';
import { matches } from '../../lists/matching.js';
import { all } from '../../lists/reading.js';
import { Dialog, Question } from '../../parts/dialog.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { Button, Empty, say } from '../../parts/page.js';
import { performersOf } from '../../parts/people.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Managed, pathOf } from '../frame.js';
import { Find, RowActions, Rows } from '../rows.js';
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

const MANY = 8; // a longer list has a search field

/** @param {{ entreprise: Entreprise, team: Ressource[] }} props */
function List({ entreprise, team }) {
  const path = `${pathOf(entreprise.id)}/prestations`;
  const services = useLoad(() => all(path), [path]);
  const [open, setOpen] = useState(/** @type {Open | null} */ (null));
  const [q, setQ] = useState('');
  const close = () => setOpen(null);
  const reload = () => {
    close();
    services.again();
  };
  const add = html`
    <${Button} icon="plus" class="main" onClick=${() => setOpen({ add: true })}>
      ${t('addService')}
    <//>`;
  return html`
    <${Loaded} from=${services}>${(/** @type {Prestation[]} */ prestations) => {
      const found = prestations.filter((one) => matches(q, one.nom, one.description));
      return html`
        ${!prestations.length && html`<${Empty} action=${add}>${t('noServices')}<//>`}
        ${
          prestations.length > 0 &&
          html`
          <div class="toolbar">
            ${
              prestations.length > MANY &&
              html`<${Find} id="find-service" label=${t('findService')} onFind=${setQ} />`
            }
            ${add}
          </div>
          <${Rows} caption=${t('services')} columns=${columnsOf(team, setOpen)}
            items=${found} />
          ${!found.length && html`<${Empty}>${t('noSuchService', { q })}<//>`}`
        }`;
    }}<//>
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
 * @param {Ressource[]} team
 * @param {(open: Open) => void} onOpen
 * @returns {import('../rows.js').Column[]}
 */
function columnsOf(team, onOpen) {
  /** @param {Prestation} one */
  const whom = (one) => {
    const people = performersOf(one, team);
    const isAll = people.length === performersOf({ ressources: [] }, team).length;
    return dotted(
      isAll ? t('wholeTeam') : people.map(({ nom }) => nom).join(', ') || t('nobodyAnyMore'),
      one.lieuRequis && t('needsRoom'),
    );
  };
  /** @param {Prestation} one */
  const buffers = ({ tamponAvant, tamponApres }) =>
    dotted(
      tamponAvant && t('before', { n: tamponAvant }),
      tamponApres && t('after', { n: tamponApres }),
    );
  return [
    {
      label: t('serviceName'),
      by: ({ nom }) => nom,
      cell: ({ nom, description }) => html`
        <b>${nom}</b>${description && html`<small class="clamp">${description}</small>`}`,
    },
    {
      label: t('duration'),
      number: true,
      by: ({ dureeMinutes }) => dureeMinutes,
      cell: (/** @type {Prestation} */ one) => html`
        ${length(one.dureeMinutes)}${buffers(one) && html`<small>${buffers(one)}</small>`}`,
    },
    {
      label: t('priceLabel'),
      number: true,
      by: ({ prixCentimes }) => prixCentimes,
      cell: ({ prixCentimes }) => price(prixCentimes) || '–',
    },
    ...(team.length ? [{ label: t('performedBy'), minor: true, by: whom, cell: whom }] : []),
    {
      label: t('rowActions'),
      cell: (/** @type {Prestation} */ one) => html`
        <${RowActions} name=${one.nom} removal=${t('retire')}
          onEdit=${() => onOpen({ edit: one })} onRemove=${() => onOpen({ retire: one })} />`,
    },
  ];
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
