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
 * `codes` maps the code of a refusal to the field that the code concerns and the text beside it.
 * @typedef {object} Context
 * @property {string[]} [fields]
 * @property {Record<string, string>} [names]
 * @property {Partial<Record<Code, FieldText>>} [codes]
 */

/** The field of a form that a code concerns. @type {Partial<Record<Code, string>>} */
const FIELDS = {
  contact_email_invalid: 'email',
  email_taken: 'email',
  invalid_email: 'email',
  password_too_common: 'password',
  password_too_long: 'password',
  password_too_short: 'password',
  too_many_slots: 'pasMinutes',
};

/** Returns the refusal of a request; throws any other error again. @param {unknown} error */
export function refusalOf(error) {
  if (error instanceof Refusal) return error;
  throw error;
}

/** @param {string} code @returns {code is keyof typeof CODES} */
const isKnown = (code) => Object.hasOwn(CODES, code);

/** Returns the text that says why a request has failed. @param {Refusal} refusal */
function textOf({ status, code, passing, body, wait }) {
  if (status === 0) return t('offline');
  if (status === 429 && wait) return `${t('tooMany')} ${waitingTime(wait)}`;
  if (isKnown(code)) return t(code, worded(body));
  return t(passing ? 'database_unavailable' : 'refused');
}

/**
 * Returns the bounds of a refusal. If there is a `date`, writes it as "mardi 24 novembre".
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
 * Returns the text that says why the API refused the value of a field.
 * @param {string} code
 * @param {Record<string, any>} [bounds]
 */
export const fieldText = (code, bounds) => t(isKnown(code) ? code : 'wrong_type', bounds);

/** Returns the text of a required field that is empty. */
export const fieldMissing = () => fieldText('required');

/** Returns the text of `invalid_credentials` for a form that asks only for the password. */
export const wrongPassword = () => t('wrongPassword');

/**
 * Returns the text of the whole form and the texts beside its fields.
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
