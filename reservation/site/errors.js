// Maps the API's error codes to texts for the visitor. The API's own messages are not shown.
import { Refusal } from './api.js';
import { longDay } from './dates.js';
import { inUnits } from './formats.js';
import { CODES, t } from './texts/errors.js';

/** @import { Code } from './api.js' */

/** @typedef {{ field: string, text: string }} FieldText */

/**
 * How `explain` maps errors to the fields of a form.
 * @typedef {object} Context
 * @property {string[]} [fields] names of the form's fields
 * @property {Record<string, string>} [names] maps a field's name in the API to its name in the form
 * @property {Partial<Record<Code, FieldText>>} [codes] maps an error code to a field and a text
 */

/** Maps an error code to a field's name in the API. @type {Partial<Record<Code, string>>} */
const FIELDS = {
  contact_email_invalid: 'email',
  email_taken: 'email',
  invalid_email: 'email',
  password_too_common: 'password',
  password_too_long: 'password',
  password_too_short: 'password',
  too_many_slots: 'pasMinutes',
};

/** Returns `error` if it is a `Refusal`, otherwise throws `error`. @param {unknown} error */
export function refusalOf(error) {
  if (error instanceof Refusal) return error;
  throw error;
}

/** @param {string} code @returns {code is keyof typeof CODES} */
const isKnown = (code) => Object.hasOwn(CODES, code);

/** @param {Refusal} refusal */
function textOf({ status, code, passing, body, wait }) {
  if (status === 0) return t('offline');
  if (status === 429 && wait) return `${t('tooMany')} ${t('tryIn', { time: roundedUp(wait) })}`;
  if (isKnown(code)) return t(code, worded(body));
  return t(passing ? 'database_unavailable' : 'refused');
}

/**
 * Formats the `date` of an error, if any: "2030-01-31" becomes "jeudi 31 janvier 2030".
 * @param {Record<string, any>} bounds
 */
const worded = ({ date, ...bounds }) => (date ? { ...bounds, date: longDay(date) } : bounds);

/** Returns "30 secondes", or minutes or hours, rounded up. @param {number} seconds */
function roundedUp(seconds) {
  if (seconds < 60) return inUnits(seconds, 'second');
  return seconds < 3600
    ? inUnits(Math.ceil(seconds / 60), 'minute')
    : inUnits(Math.ceil(seconds / 3600), 'hour');
}

/**
 * Returns the error text for a field. `bounds` has the values of placeholders such as {max}.
 * @param {string} code
 * @param {Record<string, any>} [bounds]
 */
export const fieldText = (code, bounds) => t(isKnown(code) ? code : 'wrong_type', bounds);

export const fieldMissing = () => fieldText('required');

/**
 * Returns the texts of an error: `general` for the whole form, and `fields` by field name. Rethrows
 * an error that is not a `Refusal`.
 * @param {unknown} error
 * @param {Context} [context]
 */
export function explain(error, { fields = [], names = {}, codes = {} } = {}) {
  const refusal = refusalOf(error);
  /** @param {string} name may be nested, such as '0.debut' or 'client.email' */
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
