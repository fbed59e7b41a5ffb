// Requests that take effect once, even if a double click or a lost answer repeats them.
import { Refusal, request, session } from './api.js';
import { readStored, writeStored } from './texts.js';

/**
 * Sends a POST with an Idempotency-Key. The browser tab keeps the key, even during a reload, until
 * the API has either done or finally refused what the request asks for. Until then, a POST of the
 * same user with the same path and body is sent with the same key.
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

/** Does not call `crypto.randomUUID`, because browsers offer that function over https only. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4))).join('.');
