// A booking by the owner, for a customer who calls: service, time, customer.
import { get } from '../../api.js';
import { postOnce } from '../../attempts.js';
import { capital, dateTime, dayOf, length, longDay, nearDay, timeOf } from '../../dates.js';
import { fieldMissing, fieldText } from '../../errors.js';
import { nameOf } from '../../parts/booking.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { say } from '../../parts/page.js';
import { Alternatives } from '../../parts/times.js';
import { t } from '../../texts/gestion.js';
import { html, useEffect, useMemo, useState } from '../../vendor/htm-3.1.1.js';
import { pathOf } from '../frame.js';
import { Customer, namesOf } from './customers.js';

/** @import { Entreprise, OwnedReservation, Prestation, Start } from '../../types.js' */
/** @import { Load } from '../../types.js' */

/**
 * Where the owner clicked.
 * @typedef {{ day: string, debut?: string, prestation?: number }} Wanted
 */
/** @typedef {{ entreprise: Entreprise, at: Wanted, onDone: () => void }} NewBookingProps */

const EMAIL = /^\S+@\S+\.\S+$/;

/** @param {NewBookingProps} props */
export function NewBooking(props) {
  const { id } = props.entreprise;
  const services = useLoad(() => get(`${pathOf(id)}/prestations`, { limite: 200 }), [id]);
  return html`
    <${Loaded} from=${services}>${(/** @type {Prestation[]} */ prestations) =>
      prestations.length
        ? html`<${Choice} ...${props} prestations=${prestations} />`
        : html`
          <p>${t('noServiceYet')}</p>
          <a class="button main" href="gestion/${id}/prestations">${t('addService')}</a>`}<//>`;
}

/** @param {NewBookingProps & { prestations: Prestation[] }} props */
function Choice({ entreprise, prestations, at, onDone }) {
  const [wanted, setWanted] = useState({ day: at.day, debut: at.debut });
  const [prestation, setPrestation] = useState(
    prestations.find(({ id }) => id === at.prestation) ?? prestations[0],
  );
  const query = { prestation: prestation.id, du: wanted.day, au: wanted.day };
  const path = `${pathOf(entreprise.id)}/creneaux`;
  const starts = useLoad(() => get(path, query), [path, prestation.id, wanted.day]);
  const start = useMemo(
    () => nearest(starts.value ?? [], wanted.debut),
    [starts.value, wanted.debut],
  );
  return html`
    <fieldset class="pills">
      <legend>${t('service')}</legend>
      ${prestations.map(
        (one) => html`
        <label key=${one.id}>
          <input type="radio" name="service" checked=${one === prestation}
            onChange=${() => setPrestation(one)} />
          <span>${one.nom} <small>${length(one.dureeMinutes)}</small></span>
        </label>`,
      )}
    </fieldset>
    <${Details} ...${{ entreprise, prestation, wanted, setWanted, starts, start, onDone }} />`;
}

/**
 * Returns the first free time from `debut` on, or else the first of the day.
 * @param {Start[]} starts
 * @param {string} [debut]
 * @returns {Start | undefined}
 */
const nearest = (starts, debut = '') =>
  starts.find((one) => Date.parse(one.debut) >= Date.parse(debut)) ?? starts[0];

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
 * @typedef {object} DetailsProps
 * @property {Entreprise} entreprise
 * @property {Prestation} prestation
 * @property {Wanted} wanted
 * @property {(wanted: { day: string, debut?: string }) => void} setWanted
 * @property {Load<Start[]>} starts
 * @property {Start | undefined} start
 * @property {() => void} onDone
 */

/** @param {DetailsProps} props */
function Details({ entreprise, prestation, wanted, setWanted, starts, start, onDone }) {
  const empty = { qui: '', email: '', telephone: '', commentaire: '', places: '1' };
  /** @param {typeof empty} values */
  const send = ({ qui, email, telephone, commentaire, places }) =>
    postOnce('api/reservations', {
      creneauId: start?.id,
      prestationId: prestation.id,
      places: Number(places),
      commentaire,
      client: { ...namesOf(qui), email: email.trim(), telephone: telephone.trim() },
    });
  const form = useForm(empty, send, {
    check,
    names: { client: 'email', nom: 'qui', prenom: 'qui', creneauId: 'start' },
    unsure: t('lostAnswer'),
    onDone: (/** @type {OwnedReservation} */ { client, debut }) => {
      say(t('bookedFor', { who: nameOf(client), when: dateTime(debut) }));
      onDone();
    },
  });
  useEffect(form.clear, [start?.id]);
  /** @param {Start} other */
  const choose = ({ debut }) => setWanted({ day: dayOf(debut), debut });
  const when = start && `${nearDay(dayOf(start.debut), entreprise.fuseau)} ${timeOf(start.debut)}`;
  const left = start?.placesRestantes ?? 0;
  const silent = form.values.telephone.trim() && !form.values.email.trim();
  const places = html`
    <${Field} form=${form} name="places" type="number" min="1" max=${left}
      label=${t('howMany')} />`;
  return html`
    <${Alternatives} refusal=${form.taken} ...${{ entreprise, prestation, choose }} />
    <${Form} form=${form} action=${when ? t('bookAt', { when }) : t('confirm')}>
      <${When} ...${{ wanted, setWanted, starts, start }} wrong=${form.wrong.start} />
      <${Customer} form=${form} id=${entreprise.id} />
      <div class="two">
        <${Field} form=${form} name="email" type="email" label=${t('email')} required=${null}
          hint=${t('orPhone')} autocomplete="off" />
        <${Field} form=${form} name="telephone" type="tel" label=${t('phone')} required=${null}
          hint=${silent && t('noEmailNoMessage')} autocomplete="off" maxlength="40" />
      </div>
      ${left > 1 && places}
      <${Field} form=${form} name="commentaire" label=${t('note')} required=${false}
        maxlength="2000" />
    <//>`;
}

/**
 * The day and the time.
 * @param {Pick<DetailsProps, 'wanted' | 'setWanted' | 'starts' | 'start'>
 *   & { wrong?: string }} props
 */
function When({ wanted, setWanted, starts, start, wrong }) {
  const free = starts.value ?? [];
  /** @param {{ target: HTMLInputElement }} event */
  const changeDay = ({ target }) => target.value && setWanted({ day: target.value });
  /** @param {{ target: HTMLSelectElement }} event */
  const changeTime = ({ target }) => {
    const { debut } = free.find(({ id }) => String(id) === target.value) ?? {};
    setWanted({ ...wanted, debut });
  };
  return html`
    <div class="two">
      <div class="field">
        <label for="booking-day">${t('day')}</label>
        <input id="booking-day" type="date" value=${wanted.day} onChange=${changeDay} />
      </div>
      <div class="field">
        <label for="booking-time">${t('time')}</label>
        <select id="booking-time" name="start" required value=${start ? start.id : ''}
          aria-invalid=${wrong ? 'true' : undefined} aria-describedby="booking-time-hint"
          onChange=${changeTime}>
          ${!start && html`<option value="">–</option>`}
          ${free.map(
            ({ id, debut }) => html`
            <option key=${id} value=${id}>${timeOf(debut)}</option>`,
          )}
        </select>
        <p class="hint" id="booking-time-hint" aria-live="polite">
          ${timeHint(starts, start, wanted)}
        </p>
      </div>
    </div>`;
}

/**
 * Says why the time is another one than the owner clicked.
 * @param {Load<Start[]>} starts
 * @param {Start | undefined} start
 * @param {Wanted} wanted
 */
function timeHint(starts, start, { debut }) {
  if (starts.error) return t('offline');
  if (starts.waiting && !starts.value) return t('loading');
  if (!start) return t('nothingThatDay');
  const moved = debut && Date.parse(start.debut) !== Date.parse(debut);
  return moved ? t('nearestTime', { time: timeOf(debut) }) : capital(longDay(dayOf(start.debut)));
}
