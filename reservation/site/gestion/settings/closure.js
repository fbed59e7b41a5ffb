// The form of an event (closure, extra opening, special hours or announcement), with a preview.
import { post, put } from '../../api.js';
import { addOnce, putOnce } from '../../attempts.js';
import { dayOf, instantAt, lastDayOf, plusDays, timeOf, today } from '../../dates.js';
import { fieldText } from '../../errors.js';
import { Dialog, Sure } from '../../parts/dialog.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Whom } from '../choices.js';
import { pathOf } from '../frame.js';
import { Stranded } from './stranded.js';

/** @import { FormState } from '../../parts/form.js' */
/** @import { Entreprise, Evenement, EventType, OwnedReservation } from '../../types.js' */
/** @import { Ressource } from '../../types.js' */

/** @param {EventType} type */
const makesSlots = (type) => type === 'ouverture' || type === 'horaires';

/**
 * Returns the initial field values. Days and times are in the time zone of the business.
 * @param {EventType} type
 * @param {Evenement | undefined} event
 * @param {string} day of a new event
 */
function typedOf(type, event, day) {
  /**
   * Returns a time such as '09:30', or '' for a new event. In a closure or an announcement, also
   * returns '' for midnight, because empty times mean whole days there.
   * @param {string | undefined} instant
   */
  const time = (instant) => {
    const shown = instant ? timeOf(instant) : '';
    return shown === '00:00' && !makesSlots(type) ? '' : shown;
  };
  return {
    titre: event?.titre ?? '',
    description: event?.description ?? '',
    from: event ? dayOf(event.debut) : day,
    to: event ? lastDayOf(event) : day,
    start: time(event?.debut),
    end: time(event?.fin),
    pasMinutes: String(event?.pasMinutes ?? 30),
    capacite: String(event?.capacite ?? 1),
    ressourceId: String(event?.ressourceId ?? ''),
  };
}

/** @typedef {ReturnType<typeof typedOf>} Typed */

/**
 * Returns whether the form asks for one date instead of a first and a last day. Special hours have
 * one date, unless another client of the API has saved special hours of more than one day.
 * @param {EventType} type
 * @param {Evenement} [event]
 */
const hasOneDate = (type, event) =>
  type === 'horaires' &&
  !(event && event.fin.slice(0, 16) > plusDays(dayOf(event.debut), 1) + event.debut.slice(10, 16));

/** @param {Typed} values */
const endsNextDay = ({ start, end }) => end !== '' && end !== '00:00' && end <= start;

/**
 * Returns the values to save. With `oneDate`, adds the last day: the same date or, for hours past
 * midnight such as 20:00 to 02:00, the next day.
 * @param {Typed} values
 * @param {EventType} type
 * @param {boolean} oneDate
 * @returns {Typed}
 */
function spanOf(values, type, oneDate) {
  // On a single day, and for extra openings and special hours, an empty `end` and 00:00 both mean
  // the end of the day.
  const whole = makesSlots(type) || values.from === values.to;
  const end = whole && values.end === '00:00' ? '' : values.end;
  if (!oneDate || !values.from) return { ...values, end };
  return { ...values, end, to: plusDays(values.from, endsNextDay(values) ? 1 : 0) };
}

/** @param {EventType} type @param {Typed} values @param {string} zone */
function bodyOf(type, { titre, description, from, to, start, end, ...values }, zone) {
  const opens = makesSlots(type);
  return {
    type,
    titre,
    description,
    debut: instantAt(zone, `${from}T${start || '00:00'}`),
    fin: instantAt(zone, end ? `${to}T${end}` : `${plusDays(to, 1)}T00:00`),
    pasMinutes: opens ? Number(values.pasMinutes) : null,
    capacite: opens ? Number(values.capacite) : null,
    ressourceId: Number(values.ressourceId) || null,
  };
}

/** @param {Typed} values @returns {Record<string, string>} */
function checkOrder({ from, to, start, end }) {
  const ordered = `${from}T${start || '00:00'}` < `${to}T${end || '24:00'}`;
  return ordered ? {} : { to: fieldText('not_after_start') };
}

/**
 * `day` is the proposed date of a new closure.
 * @param {{ type: EventType, event?: Evenement, day?: string, entreprise: Entreprise,
 *   team: Ressource[], onClose: () => void, onDone: () => void, reload: () => void }} props
 */
export function Closure({ type, event, day, entreprise, team, onClose, onDone, reload }) {
  const [affected, setAffected] = useState(/** @type {OwnedReservation[] | null} */ (null));
  const oneDate = hasOneDate(type, event);
  const path = event ? `api/evenements/${event.id}` : `${pathOf(entreprise.id)}/evenements`;
  /** @param {Typed} values */
  const body = (values) => ({
    ...bodyOf(type, spanOf(values, type, oneDate), entreprise.fuseau),
    ...(event && { version: event.version }),
  });
  /** @param {Typed} values */
  const preview = (values) => (event ? put : post)(path, body(values), { essai: 1 });
  /** @param {Typed} values */
  const save = (values) => (event ? putOnce : addOnce)(path, body(values));
  const initial = typedOf(type, event, day ?? today(entreprise.fuseau));
  if (day) initial.titre = t('closedDay');
  const notice = type === 'information'; // an announcement affects no booking: no preview
  const form = useForm(initial, notice ? save : preview, {
    drafted: !notice,
    period: ['from', 'to'],
    names: { debut: 'from', fin: oneDate ? 'end' : 'to' },
    check: (values) => checkOrder(spanOf(values, type, oneDate)),
    onDone: ({ reservationsTouchees }) => (notice ? onDone() : setAffected(reservationsTouchees)),
  });
  // An event can belong to a person or a room that no longer takes bookings.
  const members = team.filter(({ id, actif }) => actif || id === event?.ressourceId);
  const title = event ? t('editOf', { name: event.titre }) : t(`add_${type}`);
  const sure = html`
    <${Stranded} reservations=${affected} told=${type === 'fermeture'} />
    <${Sure} action=${t('save')} send=${() => save(form.values)} onBack=${() => setAffected(null)}
      ...${{ onDone, reload }} />`;
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      ${!affected && html`<${Fields} ...${{ form, type, oneDate, members, reload }} />`}
      ${affected && sure}
    <//>`;
}

/**
 * @param {{ form: FormState, type: EventType, oneDate: boolean, members: Ressource[],
 *   reload: () => void }} props
 */
function Fields({ form, type, oneDate, members, reload }) {
  const opens = makesSlots(type);
  const action = type === 'information' ? t('save') : t('seeEffects');
  return html`
    <${Form} ...${{ form, reload, action }}>
      ${type === 'horaires' && html`<p class="muted">${t('hoursOfDay')}</p>`}
      <${Whom} members=${members} />
      <${Field} name="titre" label=${t('eventTitle')} hint=${t(`titleHint_${type}`)}
        maxlength="150" />
      ${oneDate ? html`<${OneDay} form=${form} />` : html`<${Days} ...${{ form, opens }} />`}
      ${opens && html`<${Slots} />`}
      <${Field} name="description" as="textarea" rows="2" label=${t('description')}
        required=${false} maxlength="5000" />
    <//>`;
}

/** @param {{ form: FormState }} props */
const OneDay = ({ form }) => html`
  <${Field} name="from" type="date" label=${t('day')} />
  <div class="two">
    <${Field} name="start" type="time" label=${t('fromTime')} />
    <${Field} name="end" type="time" label=${t('toTime')}
      hint=${endsNextDay(form.values) ? t('pastMidnight') : undefined} />
  </div>`;

/** @param {{ form: FormState, opens: boolean }} props */
const Days = ({ form, opens }) => html`
  <div class="two">
    <${Field} name="from" type="date" label=${t('firstDay')} />
    <${Field} name="start" type="time" label=${t('fromTime')} required=${opens}
      hint=${opens ? undefined : t('wholeDayHint')} />
  </div>
  <div class="two">
    <${Field} name="to" type="date" min=${form.values.from} label=${t('lastDay')} />
    <${Field} name="end" type="time" label=${t('toTime')} required=${opens} />
  </div>`;

const Slots = () => html`
  <div class="two">
    <${Field} name="pasMinutes" type="number" min="1" max="1440" label=${t('grain')}
      hint=${t('inMinutes')} />
    <${Field} name="capacite" type="number" min="1" max="10000" label=${t('placesAtOnce')} />
  </div>`;
