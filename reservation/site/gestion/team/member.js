// The form of a person or a room.
import { get, request } from '../../api.js';
import { addOnce, putOnce } from '../../attempts.js';
import { all } from '../../lists/reading.js';
import { Field, FieldError, Form, useForm } from '../../parts/form.js';
import { t } from '../../texts/gestion.js';
import { html, useRef } from '../../vendor/htm-3.1.1.js';
import { Choices } from '../choices.js';
import { managedTeam, pathOf } from '../frame.js';
import { assigned, othersOf, performs, saveService } from './tasks.js';

/** @import { Entreprise, Prestation, Ressource } from '../../types.js' */

const KINDS = /** @type {const} */ (['personne', 'lieu']);
const HOURS = /** @type {const} */ (['shared', 'own']);

/**
 * @typedef {object} MemberProps
 * @property {Entreprise} entreprise
 * @property {Ressource[]} team
 * @property {Prestation[]} prestations
 * @property {Ressource} [member] not set for a new person or room
 * @property {(saved: Ressource, own: boolean) => void} onDone called after
 *   saving; `own` is true if the member gets separate hours
 * @property {() => void} [reload]
 */

/** @param {MemberProps} props */
export function MemberForm({ entreprise, team, prestations, member, onDone, reload }) {
  const typed = {
    genre: member?.genre ?? 'personne',
    nom: member?.nom ?? '',
    description: member?.description ?? '',
    compte: member?.compte ?? '',
    hours: 'shared',
    chosen: prestations.filter((one) => !member || performs(one, member, team)).map(({ id }) => id),
  };
  const saved = useRef(member); // prevents a second POST on a retry
  /** @param {typeof typed} values */
  const send = async ({ genre, hours, chosen, ...values }) => {
    const path = `${pathOf(entreprise.id)}/ressources`;
    // An earlier attempt added this member, and may have changed the version when it saved hours.
    if (!member && saved.current) saved.current = await get(`api/ressources/${saved.current.id}`);
    const { id, actif, version, ordre = nextOf(team) } = saved.current ?? {};
    const body = { ...values, compte: values.compte.trim() || null, ordre };
    /** @type {Ressource} */
    const one = saved.current
      ? await putOnce(`api/ressources/${id}`, { ...body, actif, version })
      : await addOnce(path, { ...body, genre });
    saved.current = one;
    await assign(entreprise.id, one, chosen);
    if (hours === 'own') await copyHours(entreprise.id, one);
    return one;
  };
  const form = useForm(typed, send, {
    onDone: (/** @type {Ressource} */ one, values) => onDone(one, values.hours === 'own'),
    check: (values) => checkServices(values.chosen),
  });
  const { genre, hours, chosen } = form.values;
  /** @param {number[]} chosen @returns {Record<string, string>} */
  const checkServices = (chosen) => {
    const gone = prestations.find(
      (one) =>
        member?.genre === 'personne' &&
        !chosen.includes(one.id) &&
        performs(one, member, team) &&
        !othersOf(one, member, team).length,
    );
    return gone ? { services: t('nobodyLeft', { name: gone.nom }) } : {};
  };
  /**
   * Sets the kind, and selects all services for a person, or no service for a room.
   * @param {Ressource['genre']} genre
   */
  const setKind = (genre) => {
    const chosen = genre === 'personne' ? prestations.map(({ id }) => id) : [];
    form.set({ genre, compte: '', chosen });
  };
  const kindChoice = html`
    <${Choices} legend=${t('kind')} name="genre" chosen=${genre} onChange=${setKind}
      items=${KINDS.map((id) => ({ id, nom: t(`kind_${id}`) }))} />`;
  const hoursChoice = html`
    <${Choices} legend=${t('theHours')} name="hours" chosen=${hours}
      items=${HOURS.map((id) => ({ id, nom: t(`hours_${id}`) }))}
      hint=${hours === 'own' && t('ownHoursHint')}
      onChange=${(/** @type {string} */ hours) => form.set({ hours })} />`;
  const services = html`
    <${Choices} legend=${t(`does_${genre}`)} items=${prestations} chosen=${chosen}
      onChange=${(/** @type {number[]} */ chosen) => form.set({ chosen })} />
    <div role="alert"><${FieldError} error=${form.wrong.services} /></div>`;
  const account = html`
    <${Field} name="compte" type="email" label=${t('accountOf')} hint=${t('accountHint')}
      required=${false} autocomplete="off" />`;
  return html`
    <${Form} form=${form} action=${t('save')} reload=${reload}>
      ${!member && kindChoice}
      <${Field} name="nom" label=${t(`memberName_${genre}`)} maxlength="100"
        hint=${t('memberNameHint')} autocomplete="off" />
      <${Field} name="description" label=${t(`about_${genre}`)} maxlength="5000"
        hint=${genre === 'personne' && t('aboutHint')} required=${false} />
      ${prestations.length > 0 && services}
      ${!member && hoursChoice}
      ${genre === 'personne' && account}
    <//>`;
}

/** @param {Ressource[]} team */
const nextOf = (team) => Math.max(0, ...team.map(({ ordre }) => ordre)) + 1;

/**
 * Assigns the member to the chosen services, and removes the member from all other services. First
 * reads the team again, because saving the first member also adds the owner to the team.
 * @param {number} id
 * @param {Ressource} member
 * @param {number[]} chosen
 */
async function assign(id, member, chosen) {
  const [team, services] = await Promise.all([
    get(managedTeam(id)),
    all(`${pathOf(id)}/prestations`),
  ]);
  for (const service of services) {
    const changed = assigned(service, member, chosen.includes(service.id), team);
    if (changed) await saveService(changed);
  }
}

/**
 * Copies the weekly hours of the business to a member.
 * @param {number} id of the business
 * @param {Ressource} member
 */
const copyHours = async (id, member) =>
  request('PUT', `api/ressources/${member.id}/semainetype`, {
    body: { semaine: await get(`${pathOf(id)}/semainetype`) },
    version: member.version,
  });
