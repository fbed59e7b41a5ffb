// Refusals of the API in words for people. Only the code decides: no text of the API is shown.
import { Refusal } from './api.js';
import { longDay } from './dates.js';
import { CODES, t } from './texts/errors.js';

/** @import { Code } from './api.js' */

/** A field, and the text beside it. @typedef {{ field: string, text: string }} FieldText */

/**
 * What a form knows about refusals: its fields, its names of the API's fields, and codes that
 * are about a field here.
 * @typedef {object} Context
 * @property {string[]} [fields]
 * @property {Record<string, string>} [names]
 * @property {Partial<Record<Code, FieldText>>} [codes]
 */

/** The field that a code of a whole request is about. @type {Partial<Record<Code, string>>} */
const FIELDS = {
  contact_email_invalid: 'email',
  email_taken: 'email',
  invalid_email: 'email',
  password_too_common: 'password',
  password_too_long: 'password',
  password_too_short: 'password',
  too_many_slots: 'pasMinutes',
};

/** Returns the refusal of a request; raises any other error again. @param {unknown} error */
export function refusalOf(error) {
  if (error instanceof Refusal) return error;
  throw error;
}

/** @param {string} code @returns {code is keyof typeof CODES} */
const isKnown = (code) => Object.hasOwn(CODES, code);

/** Returns the text of a whole refusal. @param {Refusal} refusal */
function textOf({ status, code, passing, body, wait }) {
  if (status === 0) return t('offline');
  if (status === 429 && wait) return `${t('tooMany')} ${waitingTime(wait)}`;
  if (isKnown(code)) return t(code, worded(body));
  return t(passing ? 'database_unavailable' : 'refused');
}

/** Returns the bounds with a date in words. @param {Record<string, any>} bounds */
const worded = ({ date, ...bounds }) => (date ? { ...bounds, date: longDay(date) } : bounds);

/** @param {number} seconds */
const waitingTime = (seconds) =>
  seconds < 60
    ? t('waitSeconds', { n: seconds })
    : seconds < 3600
      ? t('waitMinutes', { n: Math.ceil(seconds / 60) })
      : t('waitHours', { n: Math.ceil(seconds / 3600) });

/**
 * Returns the text of a field.
 * @param {string} code
 * @param {Record<string, any>} [bounds]
 */
export const fieldText = (code, bounds) => t(isKnown(code) ? code : 'wrong_type', bounds);

/** Returns the text of a required field that is empty. */
export const fieldMissing = () => fieldText('required');

/** Returns what `invalid_credentials` means where only the password is typed. */
export const wrongPassword = () => t('wrongPassword');

/**
 * Returns the text of the whole and the texts beside fields.
 * @param {unknown} error
 * @param {Context} [context]
 */
export function explain(error, { fields = [], names = {}, codes = {} } = {}) {
  const refusal = refusalOf(error);
  /** @param {string} name '0.debut' and 'client.email' are nested */
  const named = (name) => names[name] ?? names[name.split('.').at(-1) ?? ''] ?? name;
  /** @type {Record<string, string>} */
  const texts = {};
  for (const [name, { code, ...bounds }] of Object.entries(refusal.body.champs ?? {})) {
    texts[named(name)] = fieldText(code, bounds);
  }
  const about = FIELDS[refusal.code];
  if (about) texts[named(about)] = textOf(refusal);
  const own = codes[refusal.code];
  if (own) texts[own.field] = own.text;
  const shown = Object.keys(texts).filter((name) => fields.includes(name));
  const hidden = Object.entries(texts).find(([name]) => !fields.includes(name));
  if (shown.length) return { general: fieldText('invalid_input'), fields: texts };
  return { general: hidden?.[1] ?? textOf(refusal), fields: texts };
}
