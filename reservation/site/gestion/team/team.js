// /gestion/{id}/equipe?absence=&jour=: the persons and rooms of a business.
import { put } from '../../api.js';
import { dotted } from '../../dates.js';
import { all } from '../../lists/reading.js';
import { Dialog } from '../../parts/dialog.js';
import { Loaded, Trouble, useAction, useLoad } from '../../parts/load.js';
import { Button, Icon, say } from '../../parts/page.js';
import { address, go, setQuery } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Managed, pathOf } from '../frame.js';
import { RowActions, Rows } from '../rows.js';
import { Absence } from './absence.js';
import { MemberForm } from './member.js';
import { active } from './members.js';
import { Retire } from './retire.js';
import { performs } from './tasks.js';

/** @import { Entreprise, Prestation, Ressource, ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const services = useLoad(() => all(`${pathOf(id)}/prestations`), [id]);
  return html`
    <${Managed} id=${id} page="equipe">${(/** @type {Manage} */ { entreprise, team, reload }) => {
      const again = () => Promise.all([services.again(), reload()]);
      return html`
        <${Loaded} from=${services}>${(/** @type {Prestation[]} */ prestations) =>
          team.length
            ? html`<${Team} ...${{ entreprise, team, prestations, again, query }} />`
            : html`<${Alone} ...${{ entreprise, team, prestations, again }} />`}<//>`;
    }}<//>`;
}

/**
 * @typedef {{ entreprise: Entreprise, team: Ressource[], prestations: Prestation[],
 *   again: () => Promise<unknown> }} TeamProps
 */

/**
 * Returns a callback for a saved member. If the member gets separate hours (`own`), the callback
 * opens the page of these hours. Otherwise, the callback calls `again`.
 * @param {Entreprise} entreprise
 * @param {() => void} again
 */
const after =
  ({ id }, again) =>
  (/** @type {Ressource} */ { id: de, nom }, /** @type {boolean} */ own) => {
    say(t('memberSaved', { name: nom }));
    if (own) go(address(`gestion/${id}/horaires`, { de }));
    else again();
  };

/** @param {TeamProps} props */
const Alone = ({ again, ...of }) => html`
  <p class="lead">${t('aloneLead')}</p>
  <section class="card stack">
    <${MemberForm} ...${of} onDone=${after(of.entreprise, again)} />
  </section>`;

/**
 * @typedef {{ add?: true, edit?: Ressource, retire?: Ressource, absent?: Ressource }} Open
 */

/** @param {TeamProps & { query: URLSearchParams }} props */
function Team({ again, query, ...of }) {
  const { entreprise, team } = of;
  const absent = active(team).find(({ id }) => id === Number(query.get('absence')));
  const [open, setOpen] = useState(/** @type {Open | null} */ (absent ? { absent } : null));
  const onClose = () => {
    setOpen(null);
    if (absent) setQuery({ absence: '', jour: '' });
  };
  const reload = () => {
    onClose();
    again();
  };
  const members = active(team);
  const retired = team.filter(({ actif }) => !actif);
  const { run, failed } = useAction(async (/** @type {Ressource[]} */ changed) => {
    try {
      for (const one of changed) await save(one);
    } finally {
      await again(); // a saved member has a new version, even if another member was not saved
    }
  });
  const raise = (/** @type {number} */ n) => run(raised(members, n));
  const restore = (/** @type {Ressource} */ member) => run([{ ...member, actif: true }]);
  return html`
    <p class="lead">${t('teamLead')}</p>
    <div class="toolbar">
      <${Button} icon="plus" class="main" onClick=${() => setOpen({ add: true })}>
        ${t('addMember')}
      <//>
    </div>
    <${Trouble} error=${failed?.error} />
    <${Rows} caption=${t('pageTeam')} columns=${columnsOf(of, setOpen, raise)} items=${members} />
    ${retired.length > 0 && html`<${Retired} members=${retired} onRestore=${restore} />`}
    ${
      (open?.add || open?.edit) &&
      html`
      <${Dialog} title=${open.edit ? t('editOf', { name: open.edit.nom }) : t('addMember')}
        onClose=${onClose}>
        <${MemberForm} ...${of} member=${open.edit} reload=${reload}
          onDone=${after(entreprise, reload)} />
      <//>`
    }
    ${
      open?.absent &&
      html`
      <${Absence} member=${open.absent} entreprise=${entreprise} day=${query.get('jour')}
        onClose=${reload} />`
    }
    ${open?.retire && html`<${Retire} member=${open.retire} ...${{ ...of, onClose, reload }} />`}`;
}

/** @param {Ressource} member */
const save = ({ id, nom, description, ordre, compte, actif, version }) =>
  put(`api/ressources/${id}`, { nom, description, ordre, compte, actif, version });

/**
 * Moves `members[n]` up by one position. Returns the members whose `ordre` has changed.
 * @param {Ressource[]} members
 * @param {number} n
 */
const raised = (members, n) =>
  [...members.slice(0, n - 1), members[n], members[n - 1], ...members.slice(n + 1)]
    .map((one, ordre) => ({ one, ordre }))
    .filter(({ one, ordre }) => one.ordre !== ordre)
    .map(({ one, ordre }) => ({ ...one, ordre }));

/**
 * Returns the columns of the table. No column is sortable: the owner chooses the order of the rows.
 * @param {Omit<TeamProps, 'again'>} of
 * @param {(open: Open) => void} onOpen
 * @param {(n: number) => void} onRaise
 * @returns {import('../rows.js').Column[]}
 */
function columnsOf({ entreprise, team, prestations }, onOpen, onRaise) {
  const services = (/** @type {Ressource} */ member) => {
    const done = prestations.filter((one) => performs(one, member, team));
    const isAll = done.length === prestations.length && done.length > 0;
    return isAll ? t('allServices') : dotted(...done.map(({ nom }) => nom)) || t('doesNone');
  };
  const actions = (/** @type {Ressource} */ member) => {
    const { id, nom: name, genre } = member;
    const n = active(team).indexOf(member);
    const up = t('moveUp', { name });
    const hours = address(`gestion/${entreprise.id}/horaires`, { de: id });
    return html`
      <div class="row end">
        ${
          n > 0 &&
          html`
          <${Button} icon="up" class="round" title=${up} aria-label=${up}
            onClick=${() => onRaise(n)} />`
        }
        ${
          genre === 'personne' &&
          html`
          <${Button} class="small" aria-label=${t('absenceOf', { name })}
            onClick=${() => onOpen({ absent: member })}>${t('absence')}<//>`
        }
        <a class="button small" href=${hours} aria-label=${t('hoursOf', { name })}>
          ${t('theHours')}
        </a>
        <${RowActions} name=${name} removal=${t('retire')}
          onEdit=${() => onOpen({ edit: member })} onRemove=${() => onOpen({ retire: member })} />
      </div>`;
  };
  return [
    {
      label: t('nameOf'),
      cell: ({ nom, genre, description, compte }) => html`
        <b>${nom}</b> ${genre === 'lieu' && html`<span class="badge">${t('kind_lieu')}</span>`}
        ${description && html`<small class="clamp">${description}</small>`}
        ${compte && html`<small class="with-icon"><${Icon} name="mail" />${compte}</small>`}`,
    },
    { label: t('services'), cell: services },
    { label: t('rowActions'), cell: actions },
  ];
}

/** @param {{ members: Ressource[], onRestore: (member: Ressource) => void }} props */
const Retired = ({ members, onRestore }) => html`
  <details class="card">
    <summary>${t('retiredMembers')}</summary>
    <ul class="stack">
      ${members.map(
        (member) => html`
        <li key=${member.id} class="spread">
          <b>${member.nom}</b>
          <${Button} class="small" aria-label=${t('restoreOf', { name: member.nom })}
            onClick=${() => onRestore(member)}>${t('restore')}<//>
        </li>`,
      )}
    </ul>
  </details>`;
