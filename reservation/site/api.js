// Requests to the API, the visitor's session, and a cache of records.
import { address, place, store, unsaved } from './router.js';
import { language, readStored, writeStored } from './texts.js';

/** @import { Session, Start, User } from './types.js' */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Query */
/** @typedef {{ code: string, [bound: string]: string | number }} Fault */
/**
 * An error code of the API, or 'unknown' if the answer has no code.
 * @typedef {keyof typeof import('./texts/errors.js').CODES | 'unknown'} Code
 */

// The key under which the browser stores the session. With "Stay signed in", the session is in
// localStorage, otherwise in sessionStorage. See docs/sessions.md.
export const SESSION = 'session';

const stored = readStored('localStorage', SESSION) ?? readStored('sessionStorage', SESSION);
export const session = store(/** @type {Session | null} */ (JSON.parse(stored ?? 'null')));

/**
 * Starts the session `opened`, or signs out if `opened` is null. If `opened.renewed` is set, the
 * session outlasts the tab.
 * @param {Session | null} opened
 */
export function setSession(opened) {
  /** @type {import('./texts.js').Area[]} */
  const areas = ['sessionStorage', 'localStorage'];
  const [other, area] = opened?.renewed ? areas : areas.reverse();
  writeStored(other, SESSION, null);
  writeStored(area, SESSION, opened && JSON.stringify(opened));
  session.set(opened);
}

/**
 * Changes the session, if there is one. `user` has the changed properties of the user.
 * @param {{ token?: string, renewed?: number, user?: Partial<User> }} changes
 */
export function updateSession({ user, ...changes }) {
  const opened = session.get();
  if (opened) setSession({ ...opened, ...changes, user: { ...opened.user, ...user } });
}

/** The id of the user who must sign in again, or 0. See parts/again.js. */
export const signInNeeded = store(0);

/** Keeps a page with unsaved input. Call before the API or another tab ends the session. */
export function keepInput() {
  const user = session.get()?.user.id;
  if (user && unsaved.size && place.get().route?.account) signInNeeded.set(user);
}

/**
 * A link in an e-mail. With `token`, the visitor can open the booking at `path` without a session.
 * @typedef {{ path: string, token: string }} Link
 */

/** The e-mail link that opened this page, or null. */
export const link = store(/** @type {Link | null} */ (null));

/** @param {string} path */
function linkTo(path) {
  const held = link.get();
  const opens = held && ['', '.ics', '/creneaux'].some((end) => path === held.path + end);
  return opens ? held : null;
}

/** Thrown if a request fails. `status` is 0 if the answer is missing or incomplete. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {Code} code
   * @param {number} wait seconds until a retry may succeed, or 0
   * @param {{ champs?: Record<string, Fault>, motif?: string, alternatives?: Start[] }} body
   */
  constructor(status, code = 'unknown', wait = 0, body = {}) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
    this.wait = wait;
    this.body = body;
  }

  /** Whether a retry may succeed soon. */
  get passing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export const lost = () => {
  throw new Refusal(0);
};

const OLD = 10_000; // ms since the page was loaded
/**
 * Handles a failed import. Loads the page again if the server no longer has the files of the page.
 * Does not load a new page again: with servers of different versions, this might never end.
 * @returns {Promise<never>}
 */
export async function notLoaded() {
  const answer = await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).catch(lost);
  if (answer.status !== 404 || performance.now() < OLD) return lost();
  location.reload(); // the browser asks before unsaved changes are lost
  return unsaved.size ? lost() : new Promise(() => {});
}

const LONGEST = 30_000; // ms that an answer may take
const SLOWEST = 10; // bytes that are uploaded in a millisecond
/** The requests that may change data and are not answered yet. @type {Set<Promise<unknown>>} */
export const changes = new Set();
/** @type {Set<Code>} */
const SESSION_ENDED = new Set(['token_expired', 'token_invalid']);

/**
 * Sends a request with the visitor's token. Throws a `Refusal` if it fails. If the session has
 * expired, a dialog asks the visitor to sign in again; with `quiet`, only if the page has unsaved
 * input. If another person signs in, reloads the page. If `quiet` is 'always', an expired session
 * has no effect. The API refuses an old `version`.
 * @param {string} method @param {string} path
 * @param {{ query?: Query, body?: unknown, headers?: Record<string, string>, version?: number,
 *   quiet?: boolean | 'always' }} [options]
 * @returns {Promise<Response>}
 */
export async function send(method, path, { query = {}, body, headers, version, quiet } = {}) {
  const url = new URL(address(path, query), document.baseURI);
  const isFile = body instanceof Blob;
  const content = body === undefined || isFile ? body : JSON.stringify(body);
  const size = content instanceof Blob ? content.size : (content?.length ?? 0);
  const linked = linkTo(path);
  const opened = session.get();
  const token = linked?.token ?? opened?.token;
  const answering = fetch(url, {
    method,
    headers: {
      'Accept-Language': language.get(), // of the mails to a visitor without an account
      ...headers,
      ...(version && { 'If-Match': `"v${version}"` }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': isFile ? body.type : 'application/json' }),
    },
    body: content,
    signal: AbortSignal.timeout(LONGEST + size / SLOWEST),
  }).catch(lost);
  if (method !== 'GET') changes.add(answering);
  const answer = await answering.finally(() => changes.delete(answering));
  if (answer.ok) return answer;
  const code = /** @type {Code} */ (answer.headers.get('X-Error-Code') ?? 'unknown');
  const wait = Number(answer.headers.get('Retry-After')) || 0;
  const refusal = new Refusal(answer.status, code, wait, await answer.json().catch(() => ({})));
  if (!token || quiet === 'always' || !SESSION_ENDED.has(code)) throw refusal;
  if (linked) {
    link.set(null);
    throw refusal;
  }
  if (session.get()?.token === token) {
    keepInput();
    setSession(null);
  }
  if (quiet) throw refusal;
  const user = opened?.user.id ?? 0;
  if (!session.get()) {
    signInNeeded.set(user);
    for (const mark of unsaved) mark.saving = undefined; // leaving must not wait for the sign-in
    const again = await import('./parts/again.js').catch(lost);
    await again.answer();
  }
  if (session.get()?.user.id !== user) throw refusal;
  return send(method, path, { query, body, headers, version });
}

/**
 * Sends a request like `send`. Returns the JSON of the answer, or null for status 204.
 * @param {string} method
 * @param {string} path
 * @param {Parameters<typeof send>[2]} [options]
 */
export async function request(method, path, options) {
  const answer = await send(method, path, options);
  return answer.status === 204 ? null : answer.json().catch(lost);
}

/** @param {string} path @param {Query} [query] */
export const get = (path, query) => request('GET', path, { query });

/** @param {string} path @param {unknown} [body] @param {Query} [query] */
export const post = (path, body, query) => request('POST', path, { body, query });

/** @param {string} path @param {unknown} body @param {Query} [query] */
export const put = (path, body, query) => request('PUT', path, { body, query });

/** @param {string} path @param {number} [version] */
export const remove = (path, version) => request('DELETE', path, { version });

/** Cached records of the API, by path. The records may be outdated. @type {Map<string, any>} */
export const cache = new Map();

/** Returns the record at `path`, from the cache if possible. @param {string} path */
export async function known(path) {
  if (!cache.has(path)) cache.set(path, await get(path));
  return cache.get(path);
}
