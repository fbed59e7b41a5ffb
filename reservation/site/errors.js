// The texts that visitors read when the API refuses a request. The code alone decides on the text;
// no text of the API is shown.
import { Refusal } from './api.js';
import { longDay } from './dates.js';
import { CODES, t } from './texts/errors.js';

/** @import { Code } from './api.js' */

/** A field, and the text beside it. @typedef {{ field: string, text: string }} FieldText */

/**
 * What `explain` needs to know about a form. `fields` are the names of the fields of the form.
 * `names` maps the name of a field in the API to its name in the form, if the names differ.
 * `codes` maps the code of a refusal to a field of the form and the text for that field.
 * @typedef {object} Context
 * @property {string[]} [fields]
 * @property {Record<string, string>} [names]
 * @property {Partial<Record<Code, FieldText>>} [codes]
 */

/**
 * Maps the code of a refusal to the name, in the API, of the field that the user must correct.
 * @type {Partial<Record<Code, string>>}
 */
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
  if (status === 429 && wait) return `${t('tooMany')} ${waitingTime(wait)}`;
  if (isKnown(code)) return t(code, worded(body));
  return t(passing ? 'database_unavailable' : 'refused');
}

/**
 * Returns `bounds`, the values for the placeholders of an error text, with the date (if any) as a
 * long day: "jeudi 31 janvier 2030" instead of "2030-01-31".
 * @param {Record<string, any>} bounds
 */
const worded = ({ date, ...bounds }) => (date ? { ...bounds, date: longDay(date) } : bounds);

/** @param {number} seconds */
const waitingTime = (seconds) =>
  seconds < 60
    ? t('waitSeconds', { n: seconds })
    : seconds < 3600
      ? t('waitMinutes', { n: Math.ceil(seconds / 60) })
      : t('waitHours', { n: Math.ceil(seconds / 3600) });

/**
 * Returns the text that says why the API refused the value of a field. `bounds` are the values for
 * the placeholders of the text.
 * @param {string} code
 * @param {Record<string, any>} [bounds]
 */
export const fieldText = (code, bounds) => t(isKnown(code) ? code : 'wrong_type', bounds);

export const fieldMissing = () => fieldText('required');

/** Returns the text for a wrong password in a form that does not ask for the e-mail address. */
export const wrongPassword = () => t('wrongPassword');

/**
 * Returns the texts that a form shows for an error: `general` is the text for the whole form;
 * `fields` maps the name of a field to the text beside that field. Throws `error` again if `error`
 * is not a `Refusal`.
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
