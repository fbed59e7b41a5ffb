// The form in which the owner or a person of the team books for a customer, for example during a
// telephone call.
import { postOnce } from '../../../attempts.js';
import { dateTime, dayOf, length, nearDay, timeOf } from '../../../dates.js';
import { fieldMissing, fieldText } from '../../../errors.js';
import { all } from '../../../lists/reading.js';
import { nameOf } from '../../../parts/booking.js';
import { Field, Form, useForm } from '../../../parts/form.js';
import { Loaded, useLoad } from '../../../parts/load.js';
import { Icon, say } from '../../../parts/page.js';
import { choicesOf, PersonSelect, performersOf } from '../../../parts/people.js';
import { Alternatives } from '../../../parts/times.js';
import { t } from '../../../texts/gestion.js';
import { html, useEffect, useState } from '../../../vendor/htm-3.1.1.js';
import { Choices } from '../../choices.js';
import { pathOf } from '../../frame.js';
import { performs } from '../../team/tasks.js';
import { Customer, EMAIL, namesOf, useReplacedName } from './customers.js';
import { useTimes, When } from './when.js';

/** @import { Client, Entreprise, OwnedReservation, Prestation } from '../../../types.js' */
/** @import { Ressource, Start } from '../../../types.js' */
/** @import { Times } from './when.js' */

/**
 * The initial values of the form for a new booking or, with `block`, of the form that blocks a
 * time. `ressource` is the person and `lieu` is the room.
 * @typedef {{ day: string, debut?: string, fin?: string, prestation?: number,
 *   ressource?: number, lieu?: number, block?: boolean }} Wanted
 */
/**
 * @typedef {{ entreprise: Entreprise, team: Ressource[], at: Wanted,
 *   onDone: () => void }} NewBookingProps
 */

/** @param {NewBookingProps} props */
export function NewBooking(props) {
  const { entreprise, team, at } = props;
  const { id } = entreprise;
  const room = team.find((one) => one.id === at.lieu);
  const services = useLoad(() => all(`${pathOf(id)}/prestations`), [id]);
  return html`
    <${Loaded} from=${services}>${(/** @type {Prestation[]} */ all) => {
      const prestations = all.filter(
        (one) => isPerformed(one, team) && (!room || performs(one, room, team)),
      );
      if (prestations.length) return html`<${Choice} ...${{ ...props, room, prestations }} />`;
      return html`
        <p>${t(room ? 'noServiceInRoom' : 'noServiceYet')}</p>
        <a class="button main" href="gestion/${id}/${room ? 'equipe' : 'prestations'}">
          ${t(room ? 'pageTeam' : 'addService')}
        </a>`;
    }}<//>`;
}

/** @param {Prestation} prestation @param {Ressource[]} team */
const isPerformed = (prestation, team) => !team.length || performersOf(prestation, team).length > 0;

/** @param {NewBookingProps & { prestations: Prestation[], room?: Ressource }} props */
function Choice({ entreprise, team, prestations, room, at, onDone }) {
  const suitable =
    prestations.find(({ id }) => id === at.prestation) ??
    prestations.find((one) => performersOf(one, team).some(({ id }) => id === at.ressource)) ??
    prestations[0];
  const [chosen, setChosen] = useState(suitable.id);
  const prestation = prestations.find(({ id }) => id === chosen) ?? suitable;
  const [avec, setAvec] = useState(at.ressource);
  const people = choicesOf(prestation, team);
  const person = performersOf(prestation, team).find(({ id }) => id === avec);
  const times = useTimes(entreprise, prestation, person, at);
  const items = prestations.map(({ id, nom, dureeMinutes }) => ({
    id,
    nom: html`${nom} <small>${length(dureeMinutes)}</small>`,
  }));
  return html`
    <${Choices} legend=${t('service')} name="service" items=${items} chosen=${chosen}
      onChange=${setChosen} />
    <${PersonSelect} id="booking-who" label=${t('whoLabel')} ...${{ people, person }}
      onPerson=${setAvec} />
    ${room && html`<p class="with-icon"><${Icon} name="pin" />${room.nom}</p>`}
    <${Details} ...${{ entreprise, prestation, people, person, room, times, onDone }}
      onPerson=${setAvec} />`;
}

/** @param {{ qui: string, email: string, telephone: string }} values */
function check({ qui, email, telephone }) {
  /** @type {Record<string, string>} */
  const wrong = {};
  if (!qui.trim()) wrong.qui = fieldMissing();
  if (!email.trim() && !telephone.trim()) wrong.email = fieldText('unreachable');
  if (email.trim() && !EMAIL.test(email.trim())) wrong.email = fieldText('invalid_email');
  return wrong;
}

/**
 * @param {{ entreprise: Entreprise, prestation: Prestation, people: Ressource[],
 *   person?: Ressource, room?: Ressource, times: Times, onPerson: (id: number) => void,
 *   onDone: () => void }} props
 */
function Details({ room, times, onPerson, onDone, ...of }) {
  const { entreprise, prestation, person } = of;
  const { start } = times;
  const left = start?.placesRestantes ?? 0;
  const chosen = /** @type {Client | null} */ (null);
  const empty = { chosen, qui: '', email: '', telephone: '', commentaire: '', places: '1' };
  /** @param {typeof empty} values */
  const send = ({ chosen, qui, email, telephone, commentaire, places }) =>
    postOnce('api/reservations', {
      creneauId: start?.id,
      prestationId: prestation.id,
      ressourceId: person?.id,
      lieuId: room?.id,
      places: left > 1 ? Number(places) : 1, // the field is hidden for one place
      commentaire,
      client: { ...namesOf(qui, chosen), email: email.trim(), telephone: telephone.trim() },
    });
  const form = useForm(empty, send, {
    check,
    names: {
      client: 'email',
      email: 'email',
      telephone: 'telephone',
      nom: 'qui',
      prenom: 'qui',
      creneauId: 'start',
    },
    unsure: t('lostAnswer'),
    onDone: (/** @type {OwnedReservation} */ { client, debut }) => {
      say(t('bookedFor', { who: nameOf(client), when: dateTime(debut) }));
      onDone();
    },
  });
  useEffect(form.clear, [start?.id, person?.id]);
  /** @param {Start} other @param {Ressource} [who] */
  const choose = ({ debut }, who) => {
    times.setWanted({ day: dayOf(debut), debut });
    onPerson(who?.id ?? 0);
  };
  const day = start && nearDay(dayOf(start.debut), entreprise.fuseau);
  const when = start && t('dayAtTime', { day, time: timeOf(start.debut) });
  const who = useReplacedName(entreprise, form.values);
  const silent = form.values.telephone.trim() && !form.values.email.trim();
  const places = html`
    <${Field} name="places" type="number" min="1" max=${left} label=${t('howMany')} />`;
  return html`
    <${Alternatives} refusal=${form.taken} ...${{ ...of, choose }} />
    <${Form} form=${form} action=${when ? t('bookAt', { when }) : t('confirm')}>
      <${When} times=${times} wrong=${form.wrong.start} />
      <${Customer} form=${form} entreprise=${entreprise} />
      <div class="two">
        <${Field} name="email" type="email" label=${t('email')} required=${null}
          hint=${who ? t('renames', { who }) : t('orPhone')} autocomplete="off" />
        <${Field} name="telephone" type="tel" label=${t('phone')} required=${null}
          hint=${silent && t('noEmailNoMessage')} autocomplete="off" maxlength="40" />
      </div>
      ${left > 1 && places}
      <${Field} name="commentaire" label=${t('commentLabel')} hint=${t('noteHint')}
        required=${false} maxlength="2000" />
    <//>`;
}
