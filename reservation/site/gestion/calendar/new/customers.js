// The customer field, with recent customers as suggestions.
import { get } from '../../../api.js';
import { dotted } from '../../../dates.js';
import { folded } from '../../../lists/matching.js';
import { nameOf } from '../../../parts/booking.js';
import { Combobox } from '../../../parts/combobox.js';
import { t } from '../../../texts/gestion.js';
import { html, useMemo } from '../../../vendor/htm-3.1.1.js';

/** @import { FormState } from '../../../parts/form.js' */
/** @import { Client, OwnedReservation } from '../../../types.js' */

/**
 * Returns the customers of the latest bookings, or [] if the request fails. The form works without
 * suggestions.
 * @param {number} id of the business
 * @returns {Promise<Client[]>}
 */
async function latestCustomers(id) {
  const query = { entreprise: id, recentes: 1, limite: 200 };
  /** @type {OwnedReservation[]} */
  const bookings = await get('api/reservations', query).catch(() => []);
  return [...new Map(bookings.map(({ client }) => [client.id, client])).values()];
}

/**
 * Returns whether a customer matches the typed text. Each typed word must be the start of a word of
 * the name or of the e-mail address. A text with at least three digits also matches a telephone
 * number that contains these digits.
 * @param {Client} client
 * @param {string} text
 */
function matches({ prenom, nom, email, telephone }, text) {
  const names = folded(`${prenom} ${nom} ${email}`).split(/[\s-]+/);
  const digits = text.replace(/\D/g, '');
  const called = digits.length > 2 && telephone.replace(/\D/g, '').includes(digits);
  const words = folded(text).split(/\s+/);
  return called || words.every((word) => names.some((name) => name.startsWith(word)));
}

/**
 * Returns the first and last name of the chosen customer. If the name was edited since or nobody
 * was chosen, splits a name such as "Chloé Martin".
 * @param {string} qui
 * @param {Client | null} chosen
 */
export function namesOf(qui, chosen) {
  if (chosen && nameOf(chosen) === qui.trim()) return { prenom: chosen.prenom, nom: chosen.nom };
  const [prenom, ...nom] = qui.trim().split(/\s+/);
  return nom.length ? { prenom, nom: nom.join(' ') } : { nom: prenom };
}

/** @param {Client} client */
const labelOf = (client) => dotted(nameOf(client), client.email || client.telephone);

/** @param {{ form: FormState, id: number }} props */
export function Customer({ form, id }) {
  // A promise, so that `find` can wait for the API's answer
  const known = useMemo(() => latestCustomers(id), [id]);
  /** @param {string} text */
  const find = async (text) => (await known).filter((one) => matches(one, text)).map(labelOf);
  /** @param {string} label */
  const fill = async (label) => {
    const chosen = (await known).find((one) => labelOf(one) === label);
    if (!chosen) return;
    const { email, telephone } = chosen;
    form.set({ chosen, qui: nameOf(chosen), email, telephone });
  };
  return html`
    <${Combobox} id="booking-customer" name="qui" label=${t('customer')} icon="user" required
      hint=${t('customerHint')} source=${find} value=${form.values.qui} error=${form.wrong.qui}
      onInput=${(/** @type {string} */ qui) => form.set({ qui })} onChoose=${fill} />`;
}
