// Requests that take effect once, even if a double click or a lost answer repeats them.
import { Refusal, request, session } from './api.js';
import { readStored, writeStored } from './texts.js';

/**
 * Sends a POST with an Idempotency-Key. The key stays the same while the user repeats a request in
 * the same tab, with the same path and body, even after a reload. After the API has accepted or
 * permanently refused the request, the same request gets a new key.
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

/** Returns a random key. Works over http too, where browsers lack `crypto.randomUUID`. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4))).join('.');
