// What the API refuses, in words for people: the sentence for a form as a whole, and those that
// stand next to its fields.
import { sentence } from './parts/page.js';
import { add, t } from './texts.js';

add({
  fieldMissing: ['À remplir.', 'Please fill this in.'],
  fieldWrong: ['Cette valeur n’est pas acceptée : {why}', 'This is not accepted: {why}'],
  fieldLength: ['De {a} à {b} caractères.', 'From {a} to {b} characters.'],
  fieldWhole: ['Un nombre entier de {a} à {b}.', 'A whole number from {a} to {b}.'],
  fieldEmail: ['Une adresse telle que nom@exemple.fr.', 'An address such as name@example.com.'],
  fieldDate: ['Une date du calendrier.', 'A date of the calendar.'],
  fieldTime: ['Une heure telle que 09:30.', 'A time such as 09:30.'],
  emailTaken: [
    'Un compte existe déjà avec cette adresse : connectez-vous, ou choisissez-en une autre.',
    'There is an account with this address: sign in, or choose another one.',
  ],
  passwordShort: ['Au moins 8 caractères.', 'At least 8 characters.'],
  passwordLong: ['Au plus 72 octets.', 'At most 72 bytes.'],
  passwordCommon: [
    'Ce mot de passe est trop courant : choisissez-en un autre.',
    'This password is too common: choose another one.',
  ],
  wrongCredentials: [
    'Cette adresse et ce mot de passe ne vont pas ensemble.',
    'This address and this password do not belong together.',
  ],
  wrongPassword: ['Ce n’est pas le mot de passe actuel.', 'This is not the present password.'],
  accountLocked: [
    'Trop d’essais manqués : attendez quelques minutes avant de recommencer.',
    'Too many failed attempts: wait some minutes, then try again.',
  ],
  accountDisabled: ['Ce compte est désactivé.', 'This account is disabled.'],
  linkTooOld: [
    'Ce lien a déjà servi ou n’est plus valable : demandez-en un nouveau.',
    'This link was used or is too old: ask for a new one.',
  ],
  deadlinePassed: [
    'Le délai est dépassé : appelez l’établissement.',
    'The deadline has passed: call the business.',
  ],
  notSent: [
    'Le message n’a pas pu partir. Il est conservé ici : réessayez dans un moment.',
    'The message could not be sent. It is kept here: try again in a moment.',
  ],
});

// Sentences of the API that are about one field, or about the request as a whole ('').
const KNOWN = {
  'Email already exists': ['email', 'emailTaken'],
  'Invalid email format': ['email', 'fieldEmail'],
  'L\'adresse e-mail n\'est pas valide': ['email', 'fieldEmail'],
  'Password must be at least 8 characters': ['password', 'passwordShort'],
  'Password must be at most 72 bytes': ['password', 'passwordLong'],
  'Password is too common': ['password', 'passwordCommon'],
  'Invalid credentials': ['', 'wrongCredentials'],
  'Account disabled': ['', 'accountDisabled'],
  'Too many failed logins, try again later': ['', 'accountLocked'],
  'Invalid or expired reset token': ['', 'linkTooOld'],
  'It is too late for that: the deadline has passed': ['', 'deadlinePassed'],
  'Insufficient permission': ['', 'notPermitted'],
  'The resource has changed since this version': ['', 'stale'],
  'Erreur lors de l\'envoi du message': ['', 'notSent'],
};

const REASONS = [
  [/^is required$/, 'fieldMissing'],
  [/^must have 1 to \d+ characters$/, 'fieldLength', /(\d+) to (\d+)/],
  [/^must have (\d+) to (\d+) characters$/, 'fieldLength', /(\d+) to (\d+)/],
  [/^must be a whole number from (\d+) to (\d+)$/, 'fieldWhole', /(\d+) to (\d+)/],
  [/e-mail address/, 'fieldEmail'],
  [/ISO 8601|such as \d{4}-|calendar|must be a date|past/, 'fieldDate'],
  [/time of day/, 'fieldTime'],
];

/** Why a field was refused, as `champs` says it. */
export function reason(why) {
  for (const [pattern, key, numbers] of REASONS) {
    if (!pattern.test(why)) continue;
    const [, a, b] = numbers?.exec(why) ?? [];
    return t(key, { a, b });
  }
  return t('fieldWrong', { why });
}

/** {general, fields} of a Refusal: the sentence for the form, and one for each wrong field.
 *  `names` tells under which name the form has a field: {password: 'new_password'}; `codes` what
 *  a sentence of the API is about here, as KNOWN does. */
export function explain(refusal, names = {}, codes = {}) {
  if (refusal.status === undefined) throw refusal; // a fault of ours is not the visitor's
  const named = (field) => names[field] ?? field;
  const fields = Object.fromEntries(
    Object.entries(refusal.champs).map(([field, why]) => [named(field), reason(why)]),
  );
  const [field, key] = codes[refusal.code] ?? KNOWN[refusal.code] ?? [];
  if (field) fields[named(field)] = t(key);
  const marked = Object.keys(fields).length;
  return { general: marked ? t('errorsInForm') : key ? t(key) : sentence(refusal), fields };
}
