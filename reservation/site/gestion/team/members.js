// Filters and form fields for the persons and rooms of a business.
import { setQuery } from '../../router.js';
import { t } from '../../texts/calendar.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { Reservation, Ressource } from '../../types.js' */

/** @param {Ressource[]} team */
export const active = (team) => team.filter(({ actif }) => actif);

/**
 * Returns a filter for the bookings of a person or room. Without `member`, all bookings match.
 * @param {Ressource} [member]
 */
export const isOf =
  (member) =>
  (/** @type {Reservation} */ { ressource, lieu }) =>
    !member || ressource?.id === member.id || lieu?.id === member.id;

/**
 * Returns the properties of a new booking with a person or in a room.
 * @param {Ressource} [member]
 */
export const heldBy = (member) =>
  member?.genre === 'lieu' ? { lieu: member.id } : { ressource: member?.id };

/**
 * A select for one member. The first option has the text `all` and an empty value. The select shows
 * a choice only after the caller has changed `value`, because the caller may first ask the user
 * about unsaved changes.
 * @param {{ label: string, all: string, members: Ressource[], value: number | string,
 *   onChange: (value: string) => void }} props
 */
export function MemberSelect({ label, all, members, value, onChange }) {
  /** @param {{ target: HTMLSelectElement }} event */
  const change = ({ target }) => {
    const chosen = target.value;
    target.value = String(value); // the old choice, until the caller changes `value`
    onChange(chosen);
  };
  return html`
    <label class="filter">
      <span class="unseen">${label}</span>
      <select value=${value} onChange=${change}>
        <option value="">${all}</option>
        ${members.map(({ id, nom }) => html`<option key=${id} value=${id}>${nom}</option>`)}
      </select>
    </label>`;
}

/**
 * A select that writes the id of the chosen member to the query parameter `qui`.
 * @param {{ team: Ressource[], value: string | null }} props
 */
export const TeamFilter = ({ team, value }) =>
  team.length > 0 &&
  html`
    <${MemberSelect} label=${t('shownMembers')} all=${t('wholeTeam')} members=${active(team)}
      value=${value ?? ''} onChange=${(/** @type {string} */ qui) => setQuery({ qui })} />`;
