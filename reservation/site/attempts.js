// Requests that take effect once, even if a double click or a lost answer repeats them.
import { Refusal, request, session } from './api.js';
import { readStored, writeStored } from './texts.js';

/**
 * Sends a POST with an Idempotency-Key. If the same user sends the same body to the same path
 * again before the API has accepted the request or refused it for good, the tab sends the same
 * key again, even after a reload.
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
