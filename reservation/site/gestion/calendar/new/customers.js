// The customer field, with customers of the business as suggestions.
import { get } from '../../../api.js';
import { dotted } from '../../../dates.js';
import { folded } from '../../../lists/matching.js';
import { nameOf } from '../../../parts/booking.js';
import { Combobox } from '../../../parts/combobox.js';
import { useLoad } from '../../../parts/load.js';
import { t } from '../../../texts/gestion.js';
import { html, useMemo } from '../../../vendor/htm-3.1.1.js';
import { manages, pathOf } from '../../frame.js';

/** @import { FormState } from '../../../parts/form.js' */
/** @import { Client, Entreprise, OwnedReservation } from '../../../types.js' */

export const EMAIL = /^\S+@\S+\.\S+$/;

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
  // The visits that a person of the team has booked as a customer have no `client`.
  const clients = bookings.map(({ client }) => client).filter(Boolean);
  return [...new Map(clients.map((client) => [client.id, client])).values()];
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

/**
 * Searches all customers of a business. Only its owner may do so.
 * @param {number} id of the business
 * @param {string} q
 * @returns {Promise<Client[]>}
 */
const search = (id, q) => get(`${pathOf(id)}/clients`, { q, limite: 50 });

/**
 * Returns a function that finds customers by a text. Staff may not search all customers, only those
 * of their bookings.
 * @param {Entreprise} entreprise
 * @returns {(text: string) => Promise<Client[]>}
 */
function searchOf(entreprise) {
  const { id } = entreprise;
  if (manages(entreprise)) return (q) => search(id, q);
  // Asks the API once, when the form opens. Each search waits for this answer.
  const latest = latestCustomers(id);
  return async (text) => (await latest).filter((one) => matches(one, text));
}

/**
 * Returns the known name of the customer with the typed e-mail address if it differs from the typed
 * name: a booking would replace it. Otherwise, returns "".
 * @param {Entreprise} entreprise
 * @param {{ qui: string, email: string }} typed
 */
export function useReplacedName(entreprise, { qui, email }) {
  const address = email.trim().toLowerCase();
  const asks = manages(entreprise) && EMAIL.test(address);
  const { value } = useLoad(
    async () => (asks ? search(entreprise.id, address) : []),
    [asks && address],
  );
  const known = value?.find(({ email }) => email === address);
  const name = known ? nameOf(known) : '';
  return qui.trim() && folded(name) !== folded(qui.trim()) ? name : '';
}

/** Erased customers have neither address nor telephone. @param {Client} client */
const isReachable = ({ email, telephone }) => email || telephone;

/** @param {{ form: FormState, entreprise: Entreprise }} props */
export function Customer({ form, entreprise }) {
  const searchBy = useMemo(() => searchOf(entreprise), [entreprise.id]);
  /** @type {Map<string, Client>} */
  const known = useMemo(() => new Map(), [entreprise.id]);
  /** @param {string} text */
  const find = async (text) => {
    const found = (await searchBy(text)).filter(isReachable);
    for (const one of found) known.set(labelOf(one), one);
    return found.map(labelOf);
  };
  /** @param {string} label */
  const fill = (label) => {
    const chosen = known.get(label);
    if (!chosen) return;
    const { email, telephone } = chosen;
    form.set({ chosen, qui: nameOf(chosen), email, telephone });
  };
  return html`
    <${Combobox} id="booking-customer" name="qui" label=${t('customer')} icon="user" required
      hint=${t('customerHint')} source=${find} value=${form.values.qui} error=${form.wrong.qui}
      onInput=${(/** @type {string} */ qui) => form.set({ qui })} onChoose=${fill} />`;
}
