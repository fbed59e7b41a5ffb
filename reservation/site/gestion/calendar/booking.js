// A booking as its owner sees it: the customer, and what its state allows.
import { known, put } from '../../api.js';
import { capital, dateTime, dayOf, timeOf } from '../../dates.js';
import { nameOf, Phone, Places, Status } from '../../parts/booking.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Loaded, useAction, useLoad } from '../../parts/load.js';
import { Button, Icon, Note, say } from '../../parts/page.js';
import { Alternatives } from '../../parts/times.js';
import { Week } from '../../parts/week.js';
import { address } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Refused } from './refused.js';

/** @import { FormState } from '../../parts/form.js' */
/** @import { Entreprise, OwnedReservation, Prestation, Start } from '../../types.js' */

const CORRECTABLE = 30 * 86_400_000; // ms after the visit

/** @typedef {'refusee' | 'annulee'} Release */
/** @typedef {Release | 'move'} Step a step that needs more than a click */
/** @typedef {Release | 'confirmee' | 'honoree' | 'absente' | 'move'} Change */

/**
 * @typedef {object} Shared
 * @property {OwnedReservation} reservation
 * @property {Entreprise} entreprise
 * @property {() => void} reload
 * @property {() => void} back
 * @property {(change: Change) => (changed: OwnedReservation) => void} done
 */

/** @param {OwnedReservation} reservation @param {Record<string, unknown>} changes */
const change = ({ id, version }, changes) => put(`api/reservations/${id}`, { ...changes, version });

/**
 * @param {Pick<Shared, 'reservation' | 'entreprise' | 'reload'> & { onDone: () => void }} props
 */
export function Booking({ reservation, entreprise, onDone, reload }) {
  const [step, setStep] = useState(/** @type {Step | null} */ (null));
  /** @type {Shared['done']} */
  const done = (kind) => (changed) => {
    say(t(`told_${kind}`, { who: nameOf(changed.client), when: dateTime(changed.debut) }));
    onDone();
  };
  const shared = { reservation, entreprise, reload, done, back: () => setStep(null) };
  return html`
    <${Facts} reservation=${reservation} />
    ${!step && html`<${Actions} ...${shared} onStep=${setStep} />`}
    ${step === 'move' && html`<${Move} ...${shared} />`}
    ${step && step !== 'move' && html`<${ReleaseForm} ...${shared} statut=${step} />`}`;
}

/** @param {{ reservation: OwnedReservation }} props */
function Facts({ reservation }) {
  const { client, statut, places, debut, fin, prestation, commentaire } = reservation;
  const record = address(`gestion/${reservation.entrepriseId}/clients`, { client: client.id });
  /** @param {string} icon @param {unknown} content */
  const fact = (icon, content) =>
    html`<li class="with-icon"><${Icon} name=${icon} />${content}</li>`;
  return html`
    <div class="row"><${Status} statut=${statut} /><${Places} n=${places} /></div>
    <ul class="stack tight">
      ${fact('calendar', html`<b>${capital(dateTime(debut))} – ${timeOf(fin)}</b>`)}
      ${fact('check', html`<span>${prestation.nom}</span>`)}
      ${client.telephone && fact('phone', html`<${Phone} number=${client.telephone} />`)}
      ${client.email && fact('mail', html`<a href="mailto:${client.email}">${client.email}</a>`)}
      ${fact('user', html`<a href=${record}>${t('seeRecord')}</a>`)}
      ${commentaire && fact('info', html`<q class="said">${commentaire}</q>`)}
    </ul>`;
}

/** Whether a mistaken state can still be corrected. @param {OwnedReservation} reservation */
const isCorrectable = ({ statut, fin }) =>
  ['honoree', 'absente'].includes(statut) && Date.now() - Date.parse(fin) < CORRECTABLE;

/**
 * The buttons that the state and the time allow.
 * @param {Shared & { onStep: (step: Step) => void }} props
 */
function Actions({ reservation, onStep, done, reload }) {
  const { run, busy, failed } = useAction(
    async (/** @type {'confirmee' | 'honoree' | 'absente'} */ statut) =>
      done(statut)(await change(reservation, { statut })),
  );
  const asked = reservation.statut === 'demandee';
  const confirmed = reservation.statut === 'confirmee';
  const begun = Date.parse(reservation.debut) <= Date.now();
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
      ${!begun && html`<${Button} icon="swap" onClick=${() => onStep('move')}>${t('move')}<//>`}
      ${confirmed && release('annulee', t('cancelBooking'))}
    </div>
    <${Refused} ...${failed} reload=${reload} />`;
}

/** Declines or cancels, with a note to the customer. @param {Shared & { statut: Release }} props */
function ReleaseForm({ reservation, statut, back, done, reload }) {
  /** @param {{ message: string }} values */
  const send = ({ message }) => change(reservation, { statut, message });
  const form = useForm({ message: '' }, send, { onDone: done(statut) });
  const aside = html`<${Button} onClick=${back}>${t('back')}<//>`;
  return html`
    <${Form} ...${{ form, reload, aside }} danger
      action=${t(statut === 'refusee' ? 'refuseYes' : 'cancelYes')}>
      <${MessageField} form=${form} />
    <//>`;
}

/** @param {{ form: FormState }} props */
const MessageField = ({ form }) => html`
  <${Field} form=${form} name="message" as="textarea" rows="3" label=${t('word')}
    hint=${t('wordHint')} required=${false} maxlength="1000" />`;

/** Moves to another time of the same service. @param {Shared} props */
function Move({ reservation, entreprise, back, done, reload }) {
  const path = `api/prestations/${reservation.prestationId}`;
  const prestation = useLoad(() => known(path), [path]);
  const [from, setFrom] = useState(dayOf(reservation.debut));
  const [start, setStart] = useState(/** @type {Start | null} */ (null));
  const shared = { reservation, entreprise, done, reload, choose: setStart };
  return html`
    <${Loaded} from=${prestation}>${(/** @type {Prestation} */ value) =>
      start
        ? html`<${ConfirmMove} key=${start.id} ...${shared} start=${start} prestation=${value} />`
        : html`
          <h3>${t('moveTitle')}</h3>
          <div class="move">
            <${Week} entreprise=${entreprise} prestation=${value} places=${reservation.places}
              from=${from} onWeek=${setFrom} choose=${setStart} />
          </div>
          <div><${Button} onClick=${back}>${t('moveKeep')}<//></div>`}<//>`;
}

/**
 * @param {Omit<Shared, 'back'> & { start: Start, prestation: Prestation,
 *   choose: (start: Start | null) => void }} props
 */
function ConfirmMove({ reservation, entreprise, start, prestation, done, reload, choose }) {
  /** @param {{ message: string }} values */
  const send = ({ message }) => change(reservation, { creneauId: start.id, message });
  const form = useForm({ message: '' }, send, { onDone: done('move') });
  const aside = html`
    <${Button} onClick=${() => choose(null)}>${t('otherTime')}<//>`;
  return html`
    <${Alternatives} refusal=${form.taken} ...${{ entreprise, prestation, choose }} />
    <${Note} tone="good" icon="swap">${t('moveTo', { when: dateTime(start.debut) })}<//>
    <${Form} ...${{ form, reload, aside }} action=${t('moveYes')}>
      <${MessageField} form=${form} />
    <//>`;
}
