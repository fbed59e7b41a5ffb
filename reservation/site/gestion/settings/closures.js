// /gestion/{id}/fermetures: dates that differ from the weekly hours, and public holidays.
import { remove } from '../../api.js';
import { capital, dotted, today } from '../../dates.js';
import { refusalOf } from '../../errors.js';
import { matches } from '../../lists/matching.js';
import { all } from '../../lists/reading.js';
import { Question } from '../../parts/dialog.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { Button, Empty, say } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { datesOf, EventBadge } from '../../views/opening.js';
import { Managed, pathOf } from '../frame.js';
import { Find, RowActions, Rows } from '../rows.js';
import { Closure } from './closure.js';
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

const MANY = 8; // a longer list has a search field

/** @param {{ entreprise: Entreprise, team: Ressource[] }} props */
function List({ entreprise, team }) {
  const path = `${pathOf(entreprise.id)}/evenements`;
  const query = { du: today(entreprise.fuseau) };
  const events = useLoad(() => all(path, query), [path]);
  const [open, setOpen] = useState(/** @type {Open | null} */ (null));
  const [q, setQ] = useState('');
  const onClose = () => setOpen(null);
  const reload = () => {
    onClose();
    events.again();
  };
  const add = html`
    <${Button} onClick=${() => setOpen({ holidays: true })}>${t('closeHolidays')}<//>`;
  return html`
    <${Buttons} onOpen=${setOpen} />
    <${Loaded} from=${events}>${(/** @type {Evenement[]} */ coming) => {
      const found = coming.filter((one) => matches(q, one.titre, one.description, datesOf(one)));
      const many = coming.length > MANY;
      return html`
        ${many && html`<${Find} id="find-date" label=${t('findClosure')} onFind=${setQ} />`}
        ${
          found.length > 0 &&
          html`
          <${Rows} caption=${t('pageClosures')} columns=${columnsOf(team, setOpen)}
            items=${found} />`
        }
        ${!coming.length && html`<${Empty} action=${add}>${t('noClosures')}<//>`}
        ${coming.length > 0 && !found.length && html`<${Empty}>${t('noSuchClosure', { q })}<//>`}`;
    }}<//>
    ${open && html`<${OpenDialog} open=${open} ...${{ entreprise, team, onClose, reload }} />`}`;
}

/**
 * @param {{ open: Open, entreprise: Entreprise, team: Ressource[], onClose: () => void,
 *   reload: () => void }} props
 */
function OpenDialog({ open, entreprise, team, onClose, reload }) {
  /** @param {string} text */
  const done = (text) => () => {
    reload();
    say(text);
  };
  if (open.holidays) {
    return html`
      <${Holidays} ...${{ entreprise, onClose }} onDone=${done(t('holidaysClosed'))} />`;
  }
  if (open.remove) {
    return html`
      <${Remove} event=${open.remove} onClose=${onClose} onDone=${done(t('eventRemoved'))} />`;
  }
  return html`
    <${Closure} type=${open.add ?? open.edit?.type} event=${open.edit}
      ...${{ entreprise, team, onClose, reload }}
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
 * @param {Ressource[]} team
 * @param {(open: Open) => void} onOpen
 * @returns {import('../rows.js').Column[]}
 */
function columnsOf(team, onOpen) {
  /** @param {Evenement} event */
  const whose = ({ ressourceId }) =>
    team.find(({ id }) => id === ressourceId)?.nom ?? t('wholeBusiness');
  /** @param {Evenement} event */
  const places = ({ capacite }) => (capacite ?? 0) > 1 && t('places', { n: capacite ?? 0 });
  return [
    {
      label: t('eventTitle'),
      by: ({ titre }) => titre,
      cell: (/** @type {Evenement} */ event) => html`
        <b>${event.titre}</b> <${EventBadge} type=${event.type} />
        ${event.description && html`<small class="clamp">${event.description}</small>`}`,
    },
    {
      label: t('dates'),
      by: ({ debut }) => Date.parse(debut),
      cell: (event) => dotted(capital(datesOf(event)), places(event)),
    },
    ...(team.length ? [{ label: t('whose'), by: whose, cell: whose }] : []),
    {
      label: t('rowActions'),
      cell: (/** @type {Evenement} */ event) => html`
        <${RowActions} name=${event.titre} removal=${t('remove')}
          onEdit=${() => onOpen({ edit: event })} onRemove=${() => onOpen({ remove: event })} />`,
    },
  ];
}

/** Removes an event, which may be gone after a lost answer. @param {number} id */
const removeEvent = (id) =>
  remove(`api/evenements/${id}`).catch((error) => {
    if (refusalOf(error).status !== 404) throw error;
  });

/** @param {{ event: Evenement, onClose: () => void, onDone: () => void }} props */
const Remove = ({ event: { id, titre, type }, onClose, onDone }) => html`
  <${Question} title=${t('removeSure', { name: titre })} action=${t('removeYes')}
    send=${() => removeEvent(id)} onDone=${onDone} onClose=${onClose}>
    <p>${t(`removeHelp_${type}`)}</p>
  <//>`;
