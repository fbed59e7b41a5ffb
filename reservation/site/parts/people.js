// Persons and rooms of a business: who can perform a service, and the choice of a person.

import { t } from '../texts/offered.js';
import { language } from '../texts.js';
import { html } from '../vendor/htm-3.1.1.js';

/** @import { Prestation, Ressource, Start } from '../types.js' */
/** @typedef {Pick<Prestation, 'ressources' | 'genresRetires'>} Able */

/**
 * Returns the API path for a list of the active persons and rooms of a business.
 * @param {number | string} id
 */
export const teamPath = (id) => `api/entreprises/${id}/ressources?limite=200`;

/**
 * Returns the active persons who can perform a service. If `genre` is 'lieu', returns the active
 * rooms in which the service can take place.
 * @param {Able} prestation
 * @param {Ressource[]} team may lack retired persons and rooms
 * @param {Ressource['genre']} [genre]
 */
export function performersOf({ ressources, genresRetires = [] }, team, genre = 'personne') {
  if (genresRetires.includes(genre)) return [];
  const alike = team.filter((one) => one.genre === genre);
  const listed = alike.filter(({ id }) => ressources.includes(id));
  return (listed.length ? listed : alike).filter(({ actif }) => actif);
}

/**
 * Returns the persons from whom the customer can choose. Returns [] if fewer than two persons can
 * perform the service.
 * @param {Able} prestation
 * @param {Ressource[]} team
 */
export function choicesOf(prestation, team) {
  const able = performersOf(prestation, team);
  return able.length > 1 ? able : [];
}

/** @param {Start} start @param {Ressource[]} people */
export const freeAt = ({ ressources = [] }, people) =>
  people.filter(({ id }) => ressources.includes(id));

/** Returns "Léa, Sam ou Inès". @param {Ressource[]} people */
export const anyOf = (people) =>
  new Intl.ListFormat(language.get(), { type: 'disjunction' }).format(people.map(({ nom }) => nom));

/** @param {{ name: string }} props */
const Initials = ({ name }) => html`
  <span class="initials" aria-hidden="true">
    ${name
      .split(/[\s-]+/)
      .map(([first = '']) => first.toUpperCase())
      .slice(0, 2)}
  </span>`;

/**
 * @typedef {{ people: Ressource[], person?: Ressource, onPerson: (id: number) => void }} Choosing
 * `onPerson` is called with 0 if the customer has no preference.
 */

/** Radio buttons to choose a person. @param {Choosing & { legend: string }} props */
export const PersonChoice = ({ people, person, onPerson, legend }) => html`
  <fieldset class="options">
    <legend class="unseen">${legend}</legend>
    <label>
      <input type="radio" name="person" checked=${!person} onChange=${() => onPerson(0)} />
      <span><b>${t('noPreference')}</b><small>${t('noPreferenceHelp')}</small></span>
    </label>
    ${people.map(
      (one) => html`
      <label key=${one.id}>
        <input type="radio" name="person" checked=${one.id === person?.id}
          onChange=${() => onPerson(one.id)} />
        <span>
          <b>${one.nom}</b>${one.description && html`<small>${one.description}</small>`}
        </span>
        <${Initials} name=${one.nom} />
      </label>`,
    )}
  </fieldset>`;

/**
 * A <select> to choose a person, or nothing without `people`.
 * @param {Choosing & { id: string, label: string }} props
 */
export const PersonSelect = ({ people, person, onPerson, id, label }) =>
  people.length > 0 &&
  html`
  <div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} value=${person?.id ?? 0}
      onChange=${(/** @type {{ target: HTMLSelectElement }} */ { target }) =>
        onPerson(Number(target.value))}>
      <option value="0">${t('noPreference')}</option>
      ${people.map((one) => html`<option key=${one.id} value=${one.id}>${one.nom}</option>`)}
    </select>
  </div>`;
