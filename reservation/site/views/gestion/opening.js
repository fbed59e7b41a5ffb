// One opening of the week, and copying a day's openings to other days.
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { capital, weekdayName } from '../../dates.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { t } from '../../texts.js';

const GRAINS = [5, 10, 15, 20, 30, 45, 60, 90, 120];

/** `onDone` gets the opening, or null where it was taken away. */
export function Opening({ of, services, isNew, onDone }) {
  const [late, until] = useState(of.fin === '24:00');
  const form = useForm({ ...of, fin: late ? '' : of.fin, pasMinutes: String(of.pasMinutes), capacite: String(of.capacite), prestationId: String(of.prestationId ?? '') }, async (values) => values, {
    check: ({ debut, fin, pasMinutes }) => (!late && fin && fin <= debut ? { fin: t('endsBeforeStart') } : tooShort(debut, late ? '24:00' : fin, pasMinutes)),
    onDone: (values) => onDone({
      jour: of.jour, debut: values.debut, fin: late ? '24:00' : values.fin, pasMinutes: Number(values.pasMinutes),
      capacite: Number(values.capacite) || 1, prestationId: values.prestationId ? Number(values.prestationId) : null,
    }),
  });
  const grains = [...new Set([...GRAINS, of.pasMinutes])].sort((a, b) => a - b);
  return html`
    <${Form} of=${form} action=${t('apply')} aside=${!isNew && html`<button type="button" class="danger" onClick=${() => onDone(null)}>${t('remove')}</button>`}>
      <div class="two">
        <${Field} of=${form} name="debut" type="time" label=${t('fromTime')} />
        ${!late && html`<${Field} of=${form} name="fin" type="time" label=${t('toTime')} />`}
      </div>
      <label class="with-icon"><input type="checkbox" checked=${late} onChange=${(event) => until(event.target.checked)} />${t('untilMidnight')}</label>
      <div class="two">
        <${Field} of=${form} name="pasMinutes" as="select" label=${t('grain')} hint=${t('grainHint')}>
          ${grains.map((n) => html`<option value=${String(n)}>${t('minutes', { n })}</option>`)}
        <//>
        <${Field} of=${form} name="capacite" type="number" min="1" max="10000" label=${t('placesAtOnce')} hint=${t('placesAtOnceHint')} />
      </div>
      <${Field} of=${form} name="prestationId" as="select" label=${t('keptFor')} required=${false}>
        <option value="">${t('allServices')}</option>
        ${services.map((one) => html`<option value=${String(one.id)}>${one.nom}</option>`)}
      <//>
    <//>`;
}

function tooShort(debut, fin, grain) {
  const minutes = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  return debut && fin && minutes(fin) - minutes(debut) < Number(grain) ? { pasMinutes: t('grainTooLong') } : {};
}

export function CopyDay({ day, onClose, onDone }) {
  const [chosen, choose] = useState([]);
  const toggle = (one) => choose(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]);
  const others = [1, 2, 3, 4, 5, 6, 7].filter((one) => one !== day);
  return html`
    <${Dialog} title=${t('copyOf', { day: capital(weekdayName(day)) })} onClose=${onClose}>
      <fieldset class="choice">
        <legend>${t('copyTo')}</legend>
        ${others.map((one) => html`<label key=${one}><input type="checkbox" checked=${chosen.includes(one)} onChange=${() => toggle(one)} />${capital(weekdayName(one))}</label>`)}
      </fieldset>
      <div class="actions">
        <button type="button" class="main" disabled=${!chosen.length} onClick=${() => onDone(chosen)}>${t('copy')}</button>
        <button type="button" onClick=${onClose}>${t('back')}</button>
      </div>
    <//>`;
}
