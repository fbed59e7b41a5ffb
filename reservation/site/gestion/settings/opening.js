// The form of an opening in the weekly hours, and the dialog that copies the openings of a day.
import { endOf, minuteOf, WEEKDAYS, weekdayName } from '../../dates.js';
import { fieldText } from '../../errors.js';
import { Dialog } from '../../parts/dialog.js';
import { Checkbox, Field, Form, useForm } from '../../parts/form.js';
import { Button } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Weekdays, withOwn } from '../choices.js';

/** @import { Opening, Prestation } from '../../types.js' */

const GRAINS = [1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120]; // minutes
const MIDNIGHT = '24:00';

/** @param {{ late: string, fin: string }} values */
const finOf = ({ late, fin }) => (late ? MIDNIGHT : fin);

/**
 * @param {string} debut
 * @param {string} fin
 * @param {string} grain
 * @returns {Record<string, string>}
 */
function checkLength(debut, fin, grain) {
  if (!debut || !fin) return {};
  const minutes = endOf({ debut, fin }) - minuteOf(debut);
  return minutes < Number(grain) ? { pasMinutes: fieldText('longer_than_opening') } : {};
}

/**
 * Calls `onDone` with the changed opening, or with null to remove the opening.
 * @param {{ opening: Opening, prestations: Prestation[], isNew: boolean,
 *   onDone: (opening: Opening | null) => void }} props
 */
export function OpeningForm({ opening, prestations, isNew, onDone }) {
  const late = opening.fin === MIDNIGHT;
  const typed = {
    debut: opening.debut,
    fin: late ? '' : opening.fin,
    late: late ? 'oui' : '',
    pasMinutes: String(opening.pasMinutes),
    capacite: String(opening.capacite),
    prestationId: String(opening.prestationId ?? ''),
  };
  const form = useForm(typed, async (values) => values, {
    check: (values) => checkLength(values.debut, finOf(values), values.pasMinutes),
    onDone: (/** @type {typeof typed} */ { debut, pasMinutes, capacite, prestationId, ...end }) =>
      onDone({
        jour: opening.jour,
        debut,
        fin: finOf(end),
        pasMinutes: Number(pasMinutes),
        capacite: Number(capacite) || 1,
        prestationId: Number(prestationId) || null,
      }),
  });
  const remove = html`
    <${Button} class="danger" onClick=${() => onDone(null)}>${t('remove')}<//>`;
  const { debut, fin } = form.values;
  const end = html`
    <${Field} name="fin" type="time" label=${t('toTime')}
      hint=${fin && fin <= debut && t('endsNextDay')} />`;
  return html`
    <${Form} form=${form} action=${t('apply')} aside=${!isNew && remove}>
      <div class="two">
        <${Field} name="debut" type="time" label=${t('fromTime')} />
        ${!form.values.late && end}
      </div>
      <${Checkbox} name="late" label=${t('untilMidnight')} />
      <div class="two">
        <${Field} name="pasMinutes" as="select" label=${t('grain')} hint=${t('grainHint')}>
          ${withOwn(GRAINS, opening.pasMinutes).map(
            (n) => html`<option value=${n}>${t('minutes', { n })}</option>`,
          )}
        <//>
        <${Field} name="capacite" type="number" min="1" max="10000" label=${t('placesAtOnce')}
          hint=${t('placesAtOnceHint')} />
      </div>
      <${Field} name="prestationId" as="select" label=${t('keptFor')} required=${false}>
        <option value="">${t('allServices')}</option>
        ${prestations.map(({ id, nom }) => html`<option value=${id}>${nom}</option>`)}
      <//>
    <//>`;
}

/** @param {{ day: number, onClose: () => void, onDone: (days: number[]) => void }} props */
export function CopyDay({ day, onClose, onDone }) {
  const [chosen, setChosen] = useState(/** @type {number[]} */ ([]));
  return html`
    <${Dialog} title=${t('copyOf', { day: weekdayName(day) })} onClose=${onClose}>
      <${Weekdays} legend=${t('copyTo')} kind="choice" chosen=${chosen} onChange=${setChosen}
        among=${WEEKDAYS.filter((one) => one !== day)} />
      <div class="actions">
        <${Button} class="main" disabled=${!chosen.length} onClick=${() => onDone(chosen)}>
          ${t('copy')}
        <//>
        <${Button} onClick=${onClose}>${t('back')}<//>
      </div>
    <//>`;
}
