// Requests that may be sent twice and count once: a double click, an answer that was lost.
import { request, session } from './api.js';

/** POST that counts once however often it is sent. The key is made with the first attempt and
 *  kept, over a reload too, until the API has said what became of it. */
export async function postOnce(path, body) {
  const name = `attempt ${session()?.user.id} ${path} ${JSON.stringify(body)}`;
  const key = kept(name) ?? crypto.randomUUID?.() ?? randomKey();
  keep(name, key);
  try {
    const made = await request('POST', path, { body, headers: { 'Idempotency-Key': key } });
    keep(name, null);
    return made;
  } catch (error) {
    if (!error.passing && error.status !== 401) keep(name, null);
    throw error;
  }
}

/** Where the site is not served over https there is no randomUUID. */
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (one) => one.toString(16)).join('.');
}

const keys = new Map();

function kept(name) {
  try {
    return keys.get(name) ?? sessionStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(name, key) {
  if (key) keys.set(name, key);
  else keys.delete(name);
  try {
    if (key) sessionStorage.setItem(name, key);
    else sessionStorage.removeItem(name);
  } catch { /* memory is enough */ }
}
