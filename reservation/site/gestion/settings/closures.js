// /gestion/{id}/fermetures: dates that differ from the weekly hours, and public holidays.
import { remove } from '../../api.js';
import { capital, dotted, today } from '../../dates.js';
import { all } from '../../lists.js';
import { Question } from '../../parts/dialog.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { Button, Empty, say } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { datesOf, EventBadge } from '../../views/opening.js';
import { Managed, pathOf } from '../frame.js';
import { Closure } from './closure.js';
import { EntryCard } from './entry.js';
import { Holidays } from './holidays.js';

/** @import { Entreprise, Evenement, EventType, Ressource } from '../../types.js' */
/** @import { ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */

/** @param {ViewProps} props */
export default function View({ id }) {
  return html`
    <${Managed} id=${id} page="fermetures" lead=${t('closuresLead')}>
      ${(/** @type {Manage} */ { entreprise, team }) => html`
        <${List} ...${{ entreprise, team }} />`}
    <//>`;
}

/**
 * The open dialog.
 * @typedef {{ add?: EventType, edit?: Evenement, remove?: Evenement, holidays?: true }} Open
 */

/** @param {{ entreprise: Entreprise, team: Ressource[] }} props */
function List({ entreprise, team }) {
  const path = `${pathOf(entreprise.id)}/evenements`;
  const query = { du: today(entreprise.fuseau) };
  const events = useLoad(() => all(path, query), [path]);
  const [open, setOpen] = useState(/** @type {Open | null} */ (null));
  const onClose = () => setOpen(null);
  const reload = () => {
    onClose();
    events.again();
  };
  return html`
    <${Buttons} onOpen=${setOpen} />
    <${Loaded} from=${events}>${(/** @type {Evenement[]} */ found) => html`
      <ul class="stack">
        ${found.map(
          (one) => html`
          <li key=${one.id}>
            <${Card} event=${one} who=${team.find(({ id }) => id === one.ressourceId)}
              onEdit=${() => setOpen({ edit: one })}
              onRemove=${() => setOpen({ remove: one })} />
          </li>`,
        )}
      </ul>
      ${!found.length && html`<${Empty}>${t('noClosures')}<//>`}`}<//>
    ${open && html`<${OpenDialog} open=${open} ...${{ entreprise, team, onClose, reload }} />`}`;
}

/**
 * @param {{ open: Open, entreprise: Entreprise, team: Ressource[], onClose: () => void,
 *   reload: () => void }} props
 */
function OpenDialog({ open, entreprise, team, onClose, reload }) {
  const { add, edit, remove, holidays } = open;
  const members = team.filter(({ id, actif }) => actif || id === edit?.ressourceId);
  /** @param {string} text */
  const done = (text) => () => {
    reload();
    say(text);
  };
  if (holidays) {
    return html`
      <${Holidays} ...${{ entreprise, onClose }} onDone=${done(t('holidaysClosed'))} />`;
  }
  if (remove) {
    return html`<${Remove} event=${remove} ...${{ onClose }} onDone=${done(t('eventRemoved'))} />`;
  }
  return html`
    <${Closure} type=${add ?? edit?.type} event=${edit}
      ...${{ entreprise, members, onClose, reload }}
      onDone=${done(t('saved'))} />`;
}

/** @param {{ onOpen: (open: Open) => void }} props */
function Buttons({ onOpen }) {
  /** @param {Open} open @param {string} icon @param {string} text */
  const button = (open, icon, text, kind = '') => html`
    <${Button} icon=${icon} class=${kind} onClick=${() => onOpen(open)}>${text}<//>`;
  return html`
    <div class="actions">
      ${button({ add: 'fermeture' }, 'closed', t('add_fermeture'), 'main')}
      ${button({ add: 'ouverture' }, 'plus', t('add_ouverture'))}
      ${button({ add: 'horaires' }, 'clock', t('add_horaires'))}
      ${button({ add: 'information' }, 'info', t('add_information'))}
      ${button({ holidays: true }, 'calendar', t('closeHolidays'))}
    </div>`;
}

/**
 * @param {{ event: Evenement, who?: Ressource, onEdit: () => void, onRemove: () => void }} props
 */
function Card({ event, who, onEdit, onRemove }) {
  const { titre, description, type, capacite } = event;
  const places = (capacite ?? 0) > 1 && t('places', { n: capacite ?? 0 });
  return html`
    <${EntryCard} name=${titre} badge=${html`<${EventBadge} type=${type} />`}
      facts=${dotted(who?.nom, capital(datesOf(event)), places)}
      ...${{ description, onEdit, onRemove }}
      removal=${t('remove')} removalOf=${t('removeOf', { name: titre })} />`;
}

/** @param {{ event: Evenement, onClose: () => void, onDone: () => void }} props */
const Remove = ({ event: { id, titre, type }, onClose, onDone }) => html`
  <${Question} title=${t('removeSure', { name: titre })} action=${t('removeYes')}
    send=${() => remove(`api/evenements/${id}`)} onDone=${onDone} onClose=${onClose}>
    <p>${t(`removeHelp_${type}`)}</p>
  <//>`;
