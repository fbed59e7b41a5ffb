// Requests that are safe to repeat, for example after a lost answer.
import { get, post, put, Refusal, request, session } from './api.js';
import { all } from './lists/reading.js';
import { RELEASED } from './states.js';
import { OWN, readStored, writeStored } from './texts.js';

/**
 * Sends a POST with an Idempotency-Key. A second attempt with the same path and body sends the same
 * key, even after a reload of the tab. After a success or a permanent error, the key is discarded.
 * If the first attempt has made a booking that was cancelled or declined since, sends a new key.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
export async function postOnce(path, body) {
  const name = `${attemptAt(path)} ${JSON.stringify(body)}`;
  const key = readStored('sessionStorage', name) ?? randomKey();
  writeStored('sessionStorage', name, key);
  try {
    const made = await request('POST', path, { body, headers: { 'Idempotency-Key': key } });
    writeStored('sessionStorage', name, null);
    return RELEASED.has(made.statut) ? postOnce(path, body) : made;
  } catch (error) {
    const final = error instanceof Refusal && !error.passing && error.status !== 401;
    if (final) writeStored('sessionStorage', name, null);
    throw error;
  }
}

/** @param {string} path */
const attemptAt = (path) => `attempt ${session.get()?.user.id} ${path}`;

/**
 * Returns the unanswered attempts of this tab to book a slot, as their names in sessionStorage.
 * @param {number} creneau
 */
export function lostBookings(creneau) {
  const start = OWN + attemptAt('api/reservations');
  try {
    const keys = Object.keys(sessionStorage).filter(
      (key) => key.startsWith(start) && key.includes(`"creneauId":${creneau},`),
    );
    return keys.map((key) => key.slice(OWN.length));
  } catch {
    return []; // the browser stores nothing
  }
}

/** @param {string[]} names */
export const forgetAttempts = (names) => {
  for (const name of names) writeStored('sessionStorage', name, null);
};

/** Returns a random key. Over http, browsers have no `crypto.randomUUID`. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4))).join('.');

/** The requests of `once` whose answer was lost. @type {Set<string>} */
const unanswered = new Set();

/**
 * Calls `send`. If the answer was lost, the next call with the same `name` first calls `find`,
 * which returns what the request has made, or undefined.
 * @param {string} name
 * @param {() => Promise<any>} send
 * @param {() => Promise<any>} find
 */
export async function once(name, send, find) {
  try {
    const made = (unanswered.has(name) && (await find())) || (await send());
    unanswered.delete(name);
    return made;
  } catch (error) {
    if (error instanceof Refusal && error.passing) unanswered.add(name);
    throw error;
  }
}

/**
 * Sends a POST that adds an item to a list. A second attempt after a lost answer adds no second
 * item.
 * @param {string} path
 * @param {object} body
 * @param {string} [list] the path of the list
 */
export const addOnce = (path, body, list = path) =>
  once(
    `${path} ${JSON.stringify(body)}`,
    () => post(path, body),
    async () => (await all(list)).find((item) => hasAll(item, body)),
  );

/**
 * Sends a PUT with a version. A second attempt after a lost answer returns the record if the first
 * attempt has saved it: the API would refuse the version.
 * @param {string} path
 * @param {{ version?: number, [name: string]: unknown }} body
 */
export const putOnce = (path, { version = 0, ...body }) =>
  once(
    `${path} ${version} ${JSON.stringify(body)}`,
    () => put(path, { ...body, version }),
    async () => {
      const now = await get(path);
      return now.version > version && hasAll(now, body) && now;
    },
  );

/**
 * Sends a PUT of weekly hours. A second attempt after a lost answer sends nothing if the first
 * attempt has saved the hours: the API would refuse the version.
 * @param {string} path
 * @param {unknown} body
 * @param {number} version
 */
export const putHoursOnce = (path, body, version) => {
  const written = JSON.stringify(body);
  return once(
    `${path} ${version} ${written}`,
    () => request('PUT', path, { body, version }),
    async () => JSON.stringify(await get(path)) === written,
  );
};

/**
 * Returns a value in a form that is equal for equal values. The API changes the time zone of an
 * instant, removes blanks at both ends of a text, and shows e-mail addresses in lower case.
 * @param {unknown} value
 */
const comparable = (value) => {
  if (Array.isArray(value)) return JSON.stringify(value.toSorted());
  if (typeof value !== 'string') return JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return Date.parse(value);
  const text = value.trim();
  return /^\S+@\S+$/.test(text) ? text.toLowerCase() : text;
};

/**
 * Returns whether an item has the values of `body`. Ignores values that the API does not show.
 * @param {Record<string, unknown>} item
 * @param {object} body
 */
const hasAll = (item, body) =>
  Object.entries(body).every(
    ([name, value]) => !(name in item) || comparable(item[name]) === comparable(value),
  );
