// /gestion/{id}/equipe: the persons and rooms of a business. An owner alone adds a first person.
import { put } from '../../api.js';
import { dotted } from '../../dates.js';
import { all } from '../../lists.js';
import { Dialog } from '../../parts/dialog.js';
import { Loaded, Trouble, useAction, useLoad } from '../../parts/load.js';
import { Button, Icon, say } from '../../parts/page.js';
import { Initials } from '../../parts/people.js';
import { address, go } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Managed, pathOf } from '../frame.js';
import { Absence } from './absence.js';
import { MemberForm } from './member.js';
import { active } from './members.js';
import { Retire } from './retire.js';
import { performs } from './tasks.js';

/** @import { Entreprise, Prestation, Ressource, ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */

/** @param {ViewProps} props */
export default function View({ id }) {
  const services = useLoad(() => all(`${pathOf(id)}/prestations`), [id]);
  return html`
    <${Managed} id=${id} page="equipe">${(/** @type {Manage} */ { entreprise, team, reload }) => {
      const again = () => {
        services.again();
        reload();
      };
      return html`
        <${Loaded} from=${services}>${(/** @type {Prestation[]} */ prestations) =>
          team.length
            ? html`<${Team} ...${{ entreprise, team, prestations, again }} />`
            : html`<${Alone} ...${{ entreprise, team, prestations, again }} />`}<//>`;
    }}<//>`;
}

/**
 * @typedef {{ entreprise: Entreprise, team: Ressource[], prestations: Prestation[],
 *   again: () => void }} TeamProps
 */

/**
 * Returns a callback for saving. It opens the page of the member's own hours, or reads the team.
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
 * The open dialog.
 * @typedef {{ add?: true, edit?: Ressource, retire?: Ressource, absent?: Ressource }} Open
 */

/** @param {TeamProps} props */
function Team({ again, ...of }) {
  const { entreprise, team, prestations } = of;
  const [open, setOpen] = useState(/** @type {Open | null} */ (null));
  const onClose = () => setOpen(null);
  const reload = () => {
    onClose();
    again();
  };
  const members = active(team);
  const retired = team.filter(({ actif }) => !actif);
  const { run, failed } = useAction(async (/** @type {Ressource[]} */ changed) => {
    for (const one of changed) await save(one);
    reload();
  });
  /** @param {number} n */
  const raise = (n) => run(raised(members, n));
  /** @param {Ressource} member */
  const restore = (member) => run([{ ...member, actif: true }]);
  return html`
    <p class="lead">${t('teamLead')}</p>
    <div>
      <${Button} icon="plus" class="main" onClick=${() => setOpen({ add: true })}>
        ${t('addMember')}
      <//>
    </div>
    <${Trouble} ...${failed} />
    <ul class="stack">
      ${members.map(
        (member, n) => html`
        <li key=${member.id}>
          <${Card} ...${{ member, team, prestations, entreprise }} onOpen=${setOpen}
            onRaise=${n > 0 && (() => raise(n))} />
        </li>`,
      )}
    </ul>
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
      html`<${Absence} member=${open.absent} entreprise=${entreprise} onClose=${reload} />`
    }
    ${open?.retire && html`<${Retire} member=${open.retire} ...${{ team, onClose, reload }} />`}`;
}

/** @param {Ressource} member */
const save = ({ id, nom, description, ordre, compte, actif, version }) =>
  put(`api/ressources/${id}`, { nom, description, ordre, compte, actif, version });

/**
 * Returns the members whose `ordre` changes if the nth member moves up, with the new `ordre`.
 * @param {Ressource[]} members
 * @param {number} n
 */
const raised = (members, n) =>
  [...members.slice(0, n - 1), members[n], members[n - 1], ...members.slice(n + 1)]
    .map((one, ordre) => ({ one, ordre }))
    .filter(({ one, ordre }) => one.ordre !== ordre)
    .map(({ one, ordre }) => ({ ...one, ordre }));

/**
 * @param {Omit<TeamProps, 'again'> & { member: Ressource, onOpen: (open: Open) => void,
 *   onRaise: false | (() => void) }} props
 */
function Card({ member, team, prestations, entreprise, onOpen, onRaise }) {
  const { id, nom, genre, description, compte } = member;
  const done = prestations.filter((one) => performs(one, member, team));
  const names = dotted(...done.map((one) => one.nom)) || t('doesNone');
  const isAll = done.length === prestations.length && done.length > 0;
  const hours = address(`gestion/${entreprise.id}/horaires`, { de: id });
  return html`
    <article class="card spread">
      <div class="row grow member">
        <${Initials} name=${nom} />
        <div class="stack tight grow">
          <div class="row">
            <h2>${nom}</h2>
            ${genre === 'lieu' && html`<span class="badge">${t('kind_lieu')}</span>`}
          </div>
          ${description && html`<p>${description}</p>`}
          <p class="muted">${isAll ? t('doesAll') : names}</p>
          ${compte && html`<p class="with-icon muted"><${Icon} name="mail" />${compte}</p>`}
        </div>
      </div>
      <div class="row">
        ${
          onRaise &&
          html`
          <${Button} icon="up" class="small" aria-label=${t('moveUp', { name: nom })}
            onClick=${onRaise} />`
        }
        ${
          genre === 'personne' &&
          html`
          <${Button} class="small" aria-label=${t('absenceOf', { name: nom })}
            onClick=${() => onOpen({ absent: member })}>${t('absence')}<//>`
        }
        <a class="button small" href=${hours} aria-label=${t('hoursOf', { name: nom })}>
          ${t('theHours')}
        </a>
        <${Button} icon="edit" class="small" aria-label=${t('editOf', { name: nom })}
          onClick=${() => onOpen({ edit: member })}>${t('edit')}<//>
        <${Button} class="small danger" aria-label=${`${t('retire')} ${nom}`}
          onClick=${() => onOpen({ retire: member })}>${t('retire')}<//>
      </div>
    </article>`;
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
