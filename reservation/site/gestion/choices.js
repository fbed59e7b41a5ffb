// Fields to choose services, persons, rooms or weekdays.
import { capital, WEEKDAYS, weekdayName } from '../dates.js';
import { Field } from '../parts/form.js';
import { t } from '../texts/gestion.js';
import { html } from '../vendor/htm-3.1.1.js';

/** @import { Ressource } from '../types.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */

/**
 * A checkbox for each item; `chosen` has the ids of the ticked items. With `name`, a radio button
 * for each item; `chosen` is the id of one. `kind` is 'pills' or 'choice' (styles/choices.css).
 * @param {{ legend: string, hint?: string | false, name?: string, chosen: any, kind?: string,
 *   items: { id: any, nom: string | VNode }[], onChange: (chosen: any) => void }} props
 */
export const Choices = ({ legend, hint, name, items, chosen, kind = 'pills', onChange }) => html`
  <fieldset class=${kind}>
    <legend>${legend}</legend>
    ${items.map(
      ({ id, nom }) => html`
      <label key=${id}>
        <input type=${name ? 'radio' : 'checkbox'} name=${name}
          checked=${name ? id === chosen : chosen.includes(id)}
          onChange=${() => onChange(name ? id : toggled(chosen, id))} />
        <span>${nom}</span>
      </label>`,
    )}
    ${hint && html`<p class="hint">${hint}</p>`}
  </fieldset>`;

/** @param {number[]} chosen @param {number} id */
export const toggled = (chosen, id) =>
  chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];

/**
 * A checkbox for each weekday, or for the weekdays `among`.
 * @param {{ legend: string, chosen: number[], among?: number[], kind?: string,
 *   onChange: (chosen: number[]) => void }} props
 */
export const Weekdays = ({ among = WEEKDAYS, ...list }) => html`
  <${Choices} ...${list}
    items=${among.map((day) => ({ id: day, nom: capital(weekdayName(day)) }))} />`;

/**
 * A select for a person, a room or the whole business.
 * @param {{ members: Ressource[] }} props
 */
export const Whom = ({ members }) =>
  members.length > 0 &&
  html`
    <${Field} name="ressourceId" as="select" label=${t('whom')} required=${null}>
      <option value="">${t('wholeBusiness')}</option>
      ${members.map(({ id, nom }) => html`<option key=${id} value=${id}>${nom}</option>`)}
    <//>`;

/** Adds `own` to ascending numbers. @param {number[]} choices @param {number} own */
export const withOwn = (choices, own) => [...new Set([...choices, own])].sort((a, b) => a - b);
