// The details of a booking for the business, and the buttons and forms that change the booking.
import { get } from '../../api.js';
import { putOnce } from '../../attempts.js';
import { capital, dateTime, dateTimes, dayOf, dotted } from '../../dates.js';
import { entry, nameOf, Places, Status, withName } from '../../parts/booking.js';
import { Form, useForm } from '../../parts/form.js';
import { Loaded, useAction, useLoad } from '../../parts/load.js';
import { Email, Phone } from '../../parts/names.js';
import { Button, Note, say } from '../../parts/page.js';
import { choicesOf, PersonSelect, performersOf } from '../../parts/people.js';
import { Alternatives } from '../../parts/times.js';
import { Week } from '../../parts/week.js';
import { address } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { manages } from '../frame.js';
import { Refused } from './refused.js';
import { Told } from './told.js';

/** @import { Entreprise, OwnedReservation, Prestation, Ressource } from '../../types.js' */
/** @import { Start } from '../../types.js' */
/** @import { TimesOf } from '../../parts/times.js' */

const CORRECTABLE = 30 * 86_400_000; // ms: time to correct the status after the visit

/** @typedef {'refusee' | 'annulee'} Release */
/** @typedef {Release | 'move'} Step a change that needs a form */
/** @typedef {Release | 'confirmee' | 'honoree' | 'absente' | 'move'} Change */

/**
 * @typedef {object} Shared
 * @property {OwnedReservation} reservation
 * @property {Entreprise} entreprise
 * @property {Ressource[]} team
 * @property {() => void} reload
 * @property {() => void} back
 * @property {(change: Change) => (changed: OwnedReservation) => void} done
 */

/** @param {OwnedReservation} reservation @param {Record<string, unknown>} changes */
const change = ({ id, version }, changes) =>
  putOnce(`api/reservations/${id}`, { ...changes, version });

/**
 * @param {Pick<Shared, 'reservation' | 'entreprise' | 'team' | 'reload'>
 *   & { onDone: () => void }} props
 */
export function Booking({ reservation, entreprise, team, onDone, reload }) {
  const [step, setStep] = useState(/** @type {Step | null} */ (null));
  /** @type {Shared['done']} */
  const done = (kind) => (changed) => {
    say(t(`told_${kind}`, { who: nameOf(changed.client), when: dateTime(changed.debut) }));
    onDone();
  };
  const shared = { reservation, entreprise, team, reload, done, back: () => setStep(null) };
  return html`
    <${Facts} ...${{ reservation, entreprise }} />
    ${!step && html`<${Actions} ...${shared} onStep=${setStep} />`}
    ${step === 'move' && html`<${Move} ...${shared} />`}
    ${step && step !== 'move' && html`<${ReleaseForm} ...${shared} statut=${step} />`}`;
}

/** @param {{ reservation: OwnedReservation, entreprise: Entreprise }} props */
function Facts({ reservation, entreprise }) {
  const { client, statut, places, debut, fin, prestation, commentaire } = reservation;
  const { ressource, lieu } = reservation;
  const who = dotted(capital(withName(ressource) ?? ''), lieu?.nom);
  const record = address(`gestion/${reservation.entrepriseId}/clients`, { client: client.id });
  return html`
    <div class="row"><${Status} statut=${statut} /><${Places} n=${places} /></div>
    <ul class="stack tight">
      ${entry('calendar', html`<b>${capital(dateTimes(debut, fin))}</b>`)}
      ${entry('check', prestation.nom)}
      ${ressource && entry('team', who)}
      ${client.telephone && entry('phone', html`<${Phone} number=${client.telephone} />`)}
      ${client.email && entry('mail', html`<${Email} to=${client.email} />`)}
      ${manages(entreprise) && entry('user', html`<a href=${record}>${t('seeRecord')}</a>`)}
      ${commentaire && entry('info', html`<q class="said">${commentaire}</q>`)}
    </ul>`;
}

/**
 * Returns whether the status can still change between 'honoree' and 'absente'.
 * @param {OwnedReservation} reservation
 */
const isCorrectable = ({ statut, fin }) =>
  ['honoree', 'absente'].includes(statut) && Date.now() - Date.parse(fin) < CORRECTABLE;

/** @param {Shared & { onStep: (step: Step) => void }} props */
function Actions({ reservation, onStep, done, reload }) {
  const { run, busy, failed } = useAction(
    async (/** @type {'confirmee' | 'honoree' | 'absente'} */ statut) =>
      done(statut)(await change(reservation, { statut })),
  );
  const asked = reservation.statut === 'demandee';
  const confirmed = reservation.statut === 'confirmee';
  const begun = Date.parse(reservation.debut) <= Date.now();
  const over = Date.parse(reservation.fin) <= Date.now();
  const other = reservation.statut === 'honoree' ? 'absente' : 'honoree';
  if (isCorrectable(reservation)) {
    return html`
      <div class="actions">
        <${Button} icon="swap" aria-disabled=${busy} onClick=${() => run(other)}>
          ${t('correct', { state: t(`do_${other}`).toLowerCase() })}
        <//>
      </div>
      <${Refused} ...${failed} reload=${reload} />`;
  }
  if (!asked && !confirmed) return null;
  /** @param {Parameters<typeof run>[0]} statut @param {string} icon @param {string} kind */
  const button = (statut, icon, kind) => html`
    <${Button} icon=${icon} class=${kind} aria-disabled=${busy} onClick=${() => run(statut)}>
      ${t(`do_${statut}`)}
    <//>`;
  /** @param {Release} statut @param {string} text */
  const release = (statut, text) => html`
    <${Button} class="danger" onClick=${() => onStep(statut)}>${text}<//>`;
  return html`
    <div class="actions">
      ${asked && button('confirmee', 'check', 'main')}
      ${asked && release('refusee', t('refuse'))}
      ${confirmed && begun && button('honoree', 'check', 'main')}
      ${confirmed && begun && button('absente', 'close', '')}
      ${!over && html`<${Button} icon="swap" onClick=${() => onStep('move')}>${t('move')}<//>`}
      ${confirmed && release('annulee', t('cancelBooking'))}
    </div>
    <${Refused} ...${failed} reload=${reload} />`;
}

/** The form that declines or cancels the booking. @param {Shared & { statut: Release }} props */
function ReleaseForm({ reservation, statut, back, done, reload }) {
  const { client, fin } = reservation;
  /** @param {{ message: string }} values */
  const send = ({ message }) => change(reservation, { statut, message });
  const form = useForm({ message: '' }, send, { onDone: done(statut) });
  const aside = html`<${Button} onClick=${back}>${t('back')}<//>`;
  const isOver = Date.parse(fin) <= Date.now(); // the API sends no message about such a visit
  return html`
    <${Form} ...${{ form, reload, aside }} danger
      action=${t(statut === 'refusee' ? 'refuseYes' : 'cancelYes')}>
      ${!isOver && html`<${Told} client=${client} />`}
    <//>`;
}

/** @param {Shared} props */
function Move({ reservation, entreprise, team, back, done, reload }) {
  const path = `api/prestations/${reservation.prestationId}`;
  const prestation = useLoad(() => get(path), [path]);
  const [from, setFrom] = useState(dayOf(reservation.debut));
  const [start, setStart] = useState(/** @type {Start | null} */ (null));
  const [avec, setAvec] = useState(reservation.ressource?.id ?? 0);
  /** @param {Start | null} chosen @param {Ressource} [who] */
  const choose = (chosen, who) => {
    setStart(chosen);
    if (who) setAvec(who.id);
  };
  /** @param {Prestation} value */
  const draw = (value) => {
    const people = choicesOf(value, team);
    const person = performersOf(value, team).find(({ id }) => id === avec);
    const of = { entreprise, prestation: value, people, person, choose };
    if (start) {
      return html`
        <${ConfirmMove} key=${start.id} ...${{ ...of, reservation, start, done, reload }} />`;
    }
    return html`
      <h3>${t('moveTitle')}</h3>
      <${PersonSelect} id="move-who" label=${t('whoLabel')} ...${of} onPerson=${setAvec} />
      <div class="move">
        <${Week} ...${of} moved=${reservation} from=${from} onWeek=${setFrom} />
      </div>
      <div><${Button} onClick=${back}>${t('moveKeep')}<//></div>`;
  };
  return html`<${Loaded} from=${prestation}>${draw}<//>`;
}

/**
 * @param {Pick<Shared, 'reservation' | 'done' | 'reload'> & TimesOf & { start: Start,
 *   choose: (start: Start | null) => void }} props
 */
function ConfirmMove({ reservation, start, done, reload, ...of }) {
  const { person, choose } = of;
  /** @param {{ message: string }} values */
  const send = ({ message }) =>
    change(reservation, { creneauId: start.id, ressourceId: person?.id, message });
  const form = useForm({ message: '' }, send, { onDone: done('move') });
  const aside = html`
    <${Button} onClick=${() => choose(null)}>${t('otherTime')}<//>`;
  const when = [dateTime(start.debut), withName(person)].filter(Boolean).join(', ');
  return html`
    <${Alternatives} refusal=${form.taken} ...${of} />
    <${Note} tone="good" icon="swap">${t('moveTo', { when })}<//>
    <${Form} ...${{ form, reload, aside }} action=${t('moveYes')}>
      <${Told} client=${reservation.client} />
    <//>`;
}
