// Requests to the API, the session of the visitor, and records that views share.
import { store } from './router.js';
import { readStored, writeStored } from './texts.js';

/** @import { Session, Start } from './types.js' */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Query */
/** @typedef {{ code: string, [bound: string]: string | number }} Fault */
/**
 * A code that says why the API refused a request; 'unknown' if the answer has no code.
 * @typedef {keyof typeof import('./texts/errors.js').CODES | 'unknown'} Code
 */

// The key under which the browser stores the session. The session is in localStorage if the visitor
// has chosen to stay signed in, otherwise in sessionStorage, which the browser clears when the tab
// is closed (docs/sessions.md).
export const SESSION = 'session';

/** Who is signed in, or null. */
export const session = store(
  /** @type {Session | null} */ (
    JSON.parse(
      readStored('localStorage', SESSION) ?? readStored('sessionStorage', SESSION) ?? 'null',
    )
  ),
);

/**
 * Starts the session `opened`, or signs the visitor out if `opened` is null. The browser keeps the
 * session after the tab is closed if `opened.renewed` is set.
 * @param {Session | null} opened
 */
export function setSession(opened) {
  /** @type {import('./texts.js').Area[]} */
  const areas = ['sessionStorage', 'localStorage'];
  const [other, area] = opened?.renewed ? areas : areas.reverse();
  writeStored(other, SESSION, null);
  writeStored(area, SESSION, opened && JSON.stringify(opened)); // other tabs see only localStorage
  session.set(opened);
}

/** Changes the current session, if there is one. @param {(opened: Session) => Session} change */
export function updateSession(change) {
  const opened = session.get();
  if (opened) setSession({ ...opened, ...change(opened) });
}

/** Whether requests wait until the visitor has signed in again, in a dialog. */
export const signInNeeded = store(false);
/** @type {((signedIn: boolean) => void)[]} */
const waiting = [];

/** @returns {Promise<boolean>} whether the visitor has signed in */
function signInAgain() {
  signInNeeded.set(true);
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

/** Sends the waiting requests again, or fails them if not `signedIn`. @param {boolean} signedIn */
export function answerSignIn(signedIn) {
  signInNeeded.set(false);
  for (const resolve of waiting.splice(0)) resolve(signedIn);
}

/**
 * A link from an e-mail. Its token lets a visitor read and change one booking without signing in.
 * @typedef {{ path: string, token: string }} Link
 */

/** The link from an e-mail with which the visitor opened this page, or null. */
export const link = store(/** @type {Link | null} */ (null));

/** Returns the link if its token is valid for `path`, otherwise null. @param {string} path */
function linkTo(path) {
  const held = link.get();
  return held && [held.path, `${held.path}.ics`].includes(path) ? held : null;
}

/** A request that the API refused or, with status 0, that did not reach the API. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {Code} code says what was refused; 'unknown' if the answer has no code
   * @param {number} wait seconds until the same request may succeed, or 0
   * @param {{ champs?: Record<string, Fault>, motif?: string, alternatives?: Start[] }} body
   */
  constructor(status, code = 'unknown', wait = 0, body = {}) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
    this.wait = wait;
    this.body = body;
  }

  /** Whether the same request may succeed if it is soon sent again. */
  get passing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** @type {Set<Code>} */
const SESSION_ENDED = new Set(['token_expired', 'token_invalid']);

/**
 * @param {string} method
 * @param {string} path
 * @param {{ query?: Query, body?: unknown, headers?: Record<string, string>,
 *   quiet?: boolean }} [options] with `quiet`, the request fails if the session has ended;
 *   otherwise a dialog asks the visitor to sign in again
 * @returns {Promise<Response>}
 */
export async function send(method, path, { query = {}, body, headers = {}, quiet } = {}) {
  const url = new URL(path, document.baseURI);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') {
      url.searchParams.set(name, String(value));
    }
  }
  const isFile = body instanceof Blob;
  const linked = linkTo(path);
  const token = linked?.token ?? session.get()?.token;
  const answer = await fetch(url, {
    method,
    headers: {
      ...headers,
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': isFile ? body.type : 'application/json' }),
    },
    body: body === undefined || isFile ? body : JSON.stringify(body),
  }).catch(() => {
    throw new Refusal(0);
  });
  if (answer.ok) return answer;
  const code = /** @type {Code} */ (answer.headers.get('X-Error-Code') ?? 'unknown');
  const wait = Number(answer.headers.get('Retry-After')) || 0;
  const refusal = new Refusal(answer.status, code, wait, await answer.json().catch(() => ({})));
  if (!token || !SESSION_ENDED.has(refusal.code)) throw refusal;
  if (linked) {
    link.set(null);
    throw refusal;
  }
  if (session.get()?.token === token) setSession(null);
  if (quiet) throw refusal;
  if (session.get() || (await signInAgain())) return send(method, path, { query, body, headers });
  throw refusal;
}

/**
 * Returns the JSON of the answer, or null if there is none.
 * @param {string} method
 * @param {string} path
 * @param {Parameters<typeof send>[2]} [options]
 */
export async function request(method, path, options) {
  const answer = await send(method, path, options);
  return answer.status === 204 ? null : answer.json();
}

/** @param {string} path @param {Query} [query] */
export const get = (path, query) => request('GET', path, { query });

/** @param {string} path @param {unknown} [body] @param {Query} [query] */
export const post = (path, body, query) => request('POST', path, { body, query });

/** @param {string} path @param {unknown} body @param {Query} [query] */
export const put = (path, body, query) => request('PUT', path, { body, query });

/** @param {string} path */
export const remove = (path) => request('DELETE', path);

/** @param {string} path */
export const file = async (path) => (await send('GET', path)).blob();

// Records that were read from the API, by path. `known` may return an outdated record from here;
// `get` asks the API each time.
/** @type {Map<string, any>} */
const remembered = new Map();

/**
 * Keeps a record in memory until the site is left or reloaded.
 * @param {string} path
 * @param {unknown} value
 */
export const remember = (path, value) => remembered.set(path, value);

/** @param {string} path */
export const forget = (path) => remembered.delete(path);

/** @param {string} path */
export const recall = (path) => remembered.get(path);

/** Returns the remembered record, or reads and remembers it. @param {string} path */
export async function known(path) {
  if (!remembered.has(path)) remember(path, await get(path));
  return recall(path);
}
