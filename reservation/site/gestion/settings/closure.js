// The form of a closure, a special opening or a notice; then a preview, then saving.
import { post, put } from '../../api.js';
import { dayOf, instantAt, lastDayOf, plusDays, timeOf, today } from '../../dates.js';
import { Dialog, Sure } from '../../parts/dialog.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { pathOf } from '../frame.js';
import { Stranded } from './stranded.js';

/** @import { FormState } from '../../parts/form.js' */
/** @import { Entreprise, Evenement, EventType, OwnedReservation } from '../../types.js' */
/** @import { Ressource } from '../../types.js' */

/** @param {string} instant midnight is shown as no time */
const typedTime = (instant) => (timeOf(instant) === '00:00' ? '' : timeOf(instant));

/**
 * Returns what the fields show: days and times of the clock of the business.
 * @param {Evenement | undefined} event
 * @param {string} zone
 */
function typedOf(event, zone) {
  const day = today(zone);
  return {
    titre: event?.titre ?? '',
    description: event?.description ?? '',
    from: event ? dayOf(event.debut) : day,
    to: event ? lastDayOf(event) : day,
    start: event ? typedTime(event.debut) : '',
    end: event ? typedTime(event.fin) : '',
    pasMinutes: String(event?.pasMinutes ?? 30),
    capacite: String(event?.capacite ?? 1),
    ressourceId: String(event?.ressourceId ?? ''),
  };
}

/** @typedef {ReturnType<typeof typedOf>} Typed */

/** @param {EventType} type @param {Typed} values @param {string} zone */
function bodyOf(type, { titre, description, from, to, start, end, ...values }, zone) {
  const opens = type === 'ouverture';
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
  return ordered ? {} : { to: t('endsBeforeStart') };
}

/**
 * `members` are the active persons and rooms, and who the event concerns.
 * @param {{ type: EventType, event?: Evenement, entreprise: Entreprise, members: Ressource[],
 *   onClose: () => void, onDone: () => void, reload: () => void }} props
 */
export function Closure({ type, event, entreprise, members, onClose, onDone, reload }) {
  const [preview, setPreview] = useState(
    /** @type {{ save: () => Promise<unknown>, reservations: OwnedReservation[] } | null} */ (null),
  );
  /** @param {Typed} values @param {{ essai?: 1 }} [query] */
  const save = (values, query) => {
    const body = { ...bodyOf(type, values, entreprise.fuseau), version: event?.version };
    return event
      ? put(`api/evenements/${event.id}`, body, query)
      : post(`${pathOf(entreprise.id)}/evenements`, body, query);
  };
  const notice = type === 'information'; // a notice changes no calendar
  const form = useForm(
    typedOf(event, entreprise.fuseau),
    (values) => save(values, notice ? {} : { essai: 1 }),
    {
      names: { debut: 'from', fin: 'to' },
      check: checkOrder,
      onDone: ({ reservationsTouchees: reservations }, values) =>
        notice ? onDone() : setPreview({ save: () => save(values), reservations }),
    },
  );
  const title = event ? t('editOf', { name: event.titre }) : t(`add_${type}`);
  const sure = html`
    <${Stranded} reservations=${preview?.reservations} told=${type === 'fermeture'} />
    <${Sure} action=${t('save')} send=${preview?.save} onBack=${() => setPreview(null)}
      ...${{ onDone, reload }} />`;
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      ${!preview && html`<${Fields} ...${{ form, type, members, reload }} />`}
      ${preview && sure}
    <//>`;
}

/**
 * @param {{ form: FormState, type: EventType, members: Ressource[], reload: () => void }} props
 */
function Fields({ form, type, members, reload }) {
  const opens = type === 'ouverture';
  const action = type === 'information' ? t('save') : t('seeEffects');
  const slots = html`
    <div class="two">
      <${Field} form=${form} name="pasMinutes" type="number" min="5" max="1440"
        label=${t('grain')} />
      <${Field} form=${form} name="capacite" type="number" min="1" max="10000"
        label=${t('placesAtOnce')} />
    </div>`;
  const who = html`
    <${Field} form=${form} name="ressourceId" as="select" label=${t('whom')} required=${null}>
      <option value="">${t('wholeBusiness')}</option>
      ${members.map(({ id, nom }) => html`<option key=${id} value=${id}>${nom}</option>`)}
    <//>`;
  return html`
    <${Form} ...${{ form, reload, action }}>
      ${members.length > 0 && who}
      <${Field} form=${form} name="titre" label=${t('eventTitle')}
        hint=${t(`titleHint_${type}`)} maxlength="150" />
      <div class="two">
        <${Field} form=${form} name="from" type="date" label=${t('firstDay')} />
        <${Field} form=${form} name="start" type="time" label=${t('fromTime')} required=${opens}
          hint=${opens ? undefined : t('wholeDayHint')} />
      </div>
      <div class="two">
        <${Field} form=${form} name="to" type="date" label=${t('lastDay')} />
        <${Field} form=${form} name="end" type="time" label=${t('toTime')} required=${opens} />
      </div>
      ${opens && slots}
      <${Field} form=${form} name="description" as="textarea" rows="2" label=${t('description')}
        required=${false} maxlength="5000" />
    <//>`;
}
