// POST requests that are safe to repeat, for example after a lost answer.
import { post, Refusal, request, session } from './api.js';
import { all } from './lists/reading.js';
import { readStored, writeStored } from './texts.js';

/**
 * Sends a POST with an Idempotency-Key. A second attempt with the same path and body sends the same
 * key, even after a reload of the tab. After a success or a permanent error, the key is discarded.
 * @param {string} path
 * @param {object} body
 */
export async function postOnce(path, body) {
  const name = `attempt ${session.get()?.user.id} ${path} ${JSON.stringify(body)}`;
  const key = readStored('sessionStorage', name) ?? randomKey();
  writeStored('sessionStorage', name, key);
  try {
    const made = await request('POST', path, { body, headers: { 'Idempotency-Key': key } });
    writeStored('sessionStorage', name, null);
    return made;
  } catch (error) {
    const final = error instanceof Refusal && !error.passing && error.status !== 401;
    if (final) writeStored('sessionStorage', name, null);
    throw error;
  }
}

/** Returns a random key. Over http, browsers have no `crypto.randomUUID`. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4))).join('.');

/** The requests of `addOnce` whose outcome is unknown. @type {Set<string>} */
const unknown = new Set();

/**
 * Sends a POST that adds an item to a list. If the answer to the same request was lost before,
 * first looks for the item in the list, and returns the item if it is there.
 * @param {string} path
 * @param {object} body
 * @param {Parameters<typeof all>} [list] where to look for the item
 */
export async function addOnce(path, body, list = [path]) {
  const name = `${path} ${JSON.stringify(body)}`;
  if (unknown.has(name)) {
    const made = (await all(...list)).find((item) => hasAll(item, body));
    if (made) return made;
  }
  unknown.add(name);
  try {
    const made = await post(path, body);
    unknown.delete(name);
    return made;
  } catch (error) {
    if (error instanceof Refusal && !error.passing) unknown.delete(name);
    throw error;
  }
}

/** @param {any} value */
const comparable = (value) =>
  /^\d{4}-\d\d-\d\dT/.test(value)
    ? Date.parse(value)
    : JSON.stringify(Array.isArray(value) ? value.toSorted() : (value?.trim?.() ?? value ?? null));

/** @param {Record<string, unknown>} item @param {object} body */
const hasAll = (item, body) =>
  Object.entries(body).every(
    ([name, value]) => value === undefined || comparable(item[name]) === comparable(value),
  );
