// The one way to the API: who is signed in, requests that carry the token, errors as one kind of
// exception, pages of lists, and what one view leaves for the next.
import { useEffect, useState } from './vendor/htm-3.1.1.js';

// The token is kept in memory and in sessionStorage: it survives a reload and ends with the tab.
// It is never part of an address.
const NAME = 'session';
const watchers = new Set();
let current = read();
let asking = null;

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME));
  } catch {
    return null; // no storage here: memory is enough
  }
}

/** {token, user: {id, email, first_name, last_name, role, school}}, or null. */
export const session = () => current;

/** Begin a session with the answer of a login, or end it with null. */
export function setSession(opened) {
  current = opened;
  try {
    if (opened) sessionStorage.setItem(NAME, JSON.stringify(opened));
    else sessionStorage.removeItem(NAME);
  } catch { /* memory is enough */ }
  for (const show of watchers) show(current);
}

export function useSession() {
  const [shown, show] = useState(current);
  useEffect(() => {
    watchers.add(show);
    show(current);
    return () => watchers.delete(show);
  }, []);
  return shown;
}

// A request whose token has ended waits here until the visitor has signed in again: the frame
// shows a dialog over the page (`useAsked`), which keeps what was typed.
const frames = new Set();

/** Ask for a sign-in; resolves to whether there was one. */
export function signInAgain() {
  if (!asking) {
    asking = {};
    asking.promise = new Promise((resolve) => { asking.answer = resolve; });
    for (const show of frames) show(true);
  }
  return asking.promise;
}

export function useAsked() {
  const [open, show] = useState(Boolean(asking));
  useEffect(() => {
    frames.add(show);
    return () => frames.delete(show);
  }, []);
  return open;
}

export function answerAsked(signedIn) {
  asking?.answer(signedIn);
  asking = null;
  for (const show of frames) show(false);
}

/** What the API refused, or that it could not be reached (status 0).
 *  `code` is its sentence, `champs` says of each wrong field why, `body` is the whole answer. */
export class Refusal extends Error {
  constructor(status, body = {}) {
    super(body.error ?? `status ${status}`);
    this.status = status;
    this.body = body;
    this.code = body.error ?? '';
    this.champs = body.champs ?? {};
  }

  /** Whether the same request may well succeed in a moment: nothing is wrong with it. */
  get passing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const TOKEN_ENDED = new Set(['Token has expired', 'Invalid token']);

async function send(method, path, { query, body, headers = {} } = {}) {
  const url = new URL(path, document.baseURI);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, value);
  }
  const options = { method, headers: { ...headers } };
  const token = session()?.token;
  if (token) options.headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) {
    options.headers['Content-Type'] = 'application/json';
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(url, options);
  } catch {
    throw new Refusal(0);
  }
  if (answer.ok) return answer;
  const refused = new Refusal(answer.status, await answer.json().catch(() => ({})));
  const ended = token && TOKEN_ENDED.has(refused.code);
  if (!ended) throw refused;
  if (session()?.token === token) setSession(null);
  if (session() || await signInAgain()) return send(method, path, { query, body, headers });
  throw refused;
}

/** The JSON of an answer; null where there is none. */
export async function request(method, path, options) {
  const answer = await send(method, path, options);
  return answer.status === 204 ? null : answer.json();
}

export const get = (path, query) => request('GET', path, { query });
export const post = (path, body, query) => request('POST', path, { body, query });
export const put = (path, body, query) => request('PUT', path, { body, query });
export const remove = (path, body, query) => request('DELETE', path, { body, query });
export const file = async (path) => (await send('GET', path)).blob();

/** One page of a list: {items, next}; `next` is the query of the page after it, or null. */
export async function page(path, query) {
  const answer = await send('GET', path, { query });
  const link = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('Link') ?? '');
  const next = link && Object.fromEntries(new URL(link[1], document.baseURI).searchParams);
  return { items: await answer.json(), next };
}

// What one view has read and the next one shows at once. Nothing here outlives the page, and
// what may have changed meanwhile is read with `get`.
const shown = new Map();

/** Give a resource to whoever asks with `known` next: remember('api/entreprises/3', salon). */
export const remember = (path, value) => shown.set(path, value);
export const forget = (path) => shown.delete(path);

export const recall = (path) => shown.get(path);

/** A resource that was read before, or GET of it. */
export async function known(path) {
  if (!shown.has(path)) shown.set(path, await get(path));
  return shown.get(path);
}
