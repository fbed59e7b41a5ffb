// Finding customers by the first letters of a name, by e-mail address or by telephone.
import { get } from '../../api.js';

/** @import { Client, OwnedReservation } from '../../types.js' */

/**
 * Reads the customers of the latest bookings, each once. Returns none if they cannot be read: the
 * form works without them.
 * @param {number} id of the business
 * @returns {Promise<Client[]>}
 */
export async function latestCustomers(id) {
  const query = { entreprise: id, recentes: 1, limite: 200 };
  /** @type {OwnedReservation[]} */
  const bookings = await get('api/reservations', query).catch(() => []);
  return [...new Map(bookings.map(({ client }) => [client.id, client])).values()];
}

/** @param {string} text */
const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Returns whether each word of the text begins a part of the name or address, or whether the
 * telephone number contains its digits.
 * @param {Client} client
 * @param {string} text
 */
export function matches({ prenom, nom, email, telephone }, text) {
  const names = folded(`${prenom} ${nom} ${email}`).split(/[\s-]+/);
  const digits = text.replace(/\D/g, '');
  const called = digits.length > 2 && telephone.replace(/\D/g, '').includes(digits);
  const words = folded(text).split(/\s+/);
  return called || words.every((word) => names.some((name) => name.startsWith(word)));
}
