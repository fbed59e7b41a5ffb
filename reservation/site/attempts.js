// POST requests that are safe to repeat, for example after a lost answer.
import { Refusal, request, session } from './api.js';
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
