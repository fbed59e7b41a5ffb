// The visitor's language, shared texts, texts of the search page, and access to localStorage and
// sessionStorage. The texts of other views are in texts/.
import { BASE, store } from './router.js';

/** @typedef {'localStorage' | 'sessionStorage'} Area */

// Begins each key: the browser stores the entries of all installations on a host together.
export const OWN = BASE === '/' ? '' : BASE;

// The fallback if the browser denies access to its storage, for example in an <iframe>.
/** @type {Map<string, string>} */
const memory = new Map();

/**
 * @param {Area} area
 * @param {string} name
 */
export function readStored(area, name) {
  try {
    return window[area].getItem(OWN + name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

/**
 * @param {Area} area
 * @param {string} name
 * @param {string | null} text null removes the entry
 */
export function writeStored(area, name, text) {
  if (text === null) memory.delete(name);
  else memory.set(name, text);
  try {
    if (text === null) window[area].removeItem(OWN + name);
    else window[area].setItem(OWN + name, text);
  } catch {} // `memory` has the text
}

const LANGUAGES = /** @type {const} */ (['fr', 'en']);
const NAME = 'language';

/** @typedef {(typeof LANGUAGES)[number]} Language */
/** @typedef {readonly [french: string, english: string]} Text */
/** @typedef {Record<string, Text>} Texts */

export const language = store(initialLanguage());

/** @returns {Language} */
function initialLanguage() {
  const stored = LANGUAGES.find((one) => one === readStored('localStorage', NAME));
  return stored ?? (navigator.language.startsWith('en') ? 'en' : 'fr');
}

/** @param {Language} chosen */
export function setLanguage(chosen) {
  writeStored('localStorage', NAME, chosen);
  language.set(chosen);
}

// Prevents a name in Arabic or Hebrew from reordering the text around it, such as "45 min". For
// elements, `unicode-bidi` in base.css does so.
/** @param {unknown} text */
export const isolated = (text) =>
  /[\u0590-\u08ff\ufb1d-\ufefc]/.test(`${text}`) ? `\u2068${text}\u2069` : `${text}`;

// In French, "de" becomes "d’" before a text that begins like this. The text must be decomposed:
// NFD writes "É" as "E" and an accent.
const VOWEL = /^([aeiouhœ]|y(?![aeiou]))/i;

/**
 * Returns a function `t` that looks up texts: `t('places', { n: 2 })` returns "2 places". Texts can
 * have placeholders such as {name}. In "{n} day|{n} days", `n` selects the singular or the plural.
 * @template {Texts} T
 * @param {T} texts
 */
export function translator(texts) {
  /**
   * @param {keyof T} key
   * @param {Record<string, string | number | undefined>} [values]
   */
  return (key, values = {}) => {
    const current = language.get();
    // Makes each space before ":", ";", "?", "!" or "»" and each space after "«" non-breaking.
    const found = texts[key][LANGUAGES.indexOf(current)].replace(/ (?=[:;?!»])|(?<=«) /g, '\u00a0');
    const forms = found.split('|');
    const singular = new Intl.PluralRules(current).select(Number(values.n)) === 'one';
    const text = forms.length > 1 && !singular ? forms[1] : forms[0];
    return text.replace(/(\bde )?\{(\w+)\}/g, (_, de = '', name) => {
      const value = String(values[name]);
      return (de && VOWEL.test(value.normalize('NFD')) ? 'd’' : de) + isolated(value);
    });
  };
}

/** @satisfies {Texts} */
export const common = {
  brand: ['Réservation', 'Reservation'],
  skip: ['Aller au contenu', 'Skip to content'],
  menu: ['Menu', 'Menu'],
  mainNavigation: ['Navigation principale', 'Main navigation'],
  navCalendar: ['Mon agenda', 'My calendar'],
  navBookings: ['Mes rendez-vous', 'My bookings'],
  navManage: ['Mon établissement', 'My business'],
  navAdmin: ['Administration', 'Administration'],
  navAccount: ['Mon compte', 'My account'],
  navOffer: ['Proposer mes services', 'List my business'],
  navContact: ['Nous contacter', 'Contact us'],
  navLegal: ['Mentions légales', 'Legal notice'],
  navPrivacy: ['Confidentialité', 'Privacy'],
  signIn: ['Se connecter', 'Sign in'],
  signOut: ['Se déconnecter', 'Sign out'],
  signedOut: ['Déconnexion réussie.', 'You are signed out.'],
  register: ['Créer un compte', 'Create an account'],
  otherLanguage: ['English', 'Français'],
  footer: [
    'Prenez rendez-vous à toute heure, sans passer par le téléphone.',
    'Book at any time, without waiting on the phone.',
  ],
  loading: ['Chargement…', 'Loading…'],
  close: ['Fermer', 'Close'],
  back: ['Retour', 'Back'],
  save: ['Enregistrer', 'Save'],
  saved: ['C’est enregistré.', 'Changes saved.'],
  leaveSure: ['Quitter sans enregistrer ?', 'Leave without saving?'],
  leaveHelp: [
    'Les modifications que vous venez de faire seront perdues.',
    'The changes you have just made will be lost.',
  ],
  leaveSaving: ['Enregistrement en cours', 'Saving your changes'],
  leaveThen: ['Vous quitterez ensuite la page.', 'You will then leave the page.'],
  leaveYes: ['Quitter sans enregistrer', 'Leave without saving'],
  leaveNo: ['Continuer la saisie', 'Keep editing'],
  more: ['Voir plus', 'Show more'],
  tryAgain: ['Réessayer', 'Try again'],
  refresh: ['Actualiser', 'Refresh'],
  labelled: ['{label} : {text}', '{label}: {text}'],
  optional: ['facultatif', 'optional'],
  missingPage: ['Page introuvable', 'Page not found'],
  brokenPage: ['Impossible d’afficher cette page', 'This page cannot be displayed'],
  backToSearch: ['Retour à la recherche', 'Back to search'],
  offline: [
    'La connexion est interrompue. Toute saisie en cours est conservée.',
    'The connection was lost. Anything you entered is kept.',
  ],
  // Errors
  refused: ['La demande n’a pas pu aboutir.', 'The request could not be completed.'],
  tooMany: ['Trop de tentatives.', 'Too many attempts.'],
  tryIn: ['Réessayez dans {time}.', 'Try again in {time}.'],
  // Durations, times and places
  minutes: ['{n} min', '{n} min'],
  hours: ['{n} h', '{n} h'],
  dayAtTime: ['{day} à {time}', '{day} at {time}'],
  places: ['{n} place|{n} places', '{n} place|{n} places'],
  // Search page
  searchTitle: ['Prenez rendez‑vous, simplement.', 'Booking made simple.'],
  searchLead: [
    'Trouvez un rendez-vous près de chez vous et réservez en quelques secondes, jour et nuit.',
    'Find an appointment near you and book it in seconds, day or night.',
  ],
  what: ['Quoi ?', 'What?'],
  whatHint: ['Métier, prestation, établissement', 'Trade, service or business'],
  where: ['Où ?', 'Where?'],
  whereHint: ['Ville ou code postal', 'City or postcode'],
  when: ['Quand ?', 'When?'],
  search: ['Rechercher', 'Search'],
  popular: ['Recherches fréquentes', 'Popular searches'],
  suggestions: ['{n} suggestion|{n} suggestions', '{n} suggestion|{n} suggestions'],
  noSuggestion: ['Aucune suggestion', 'No suggestions'],
  discover: ['Établissements à découvrir', 'Businesses to discover'],
  seeTimes: ['Voir les disponibilités', 'See availability'],
  promiseInstant: ['Disponibilités en temps réel', 'Live availability'],
  promiseInstantHelp: [
    'Choisissez un horaire libre : il vous est aussitôt réservé.',
    'Choose an available time: it is booked for you at once.',
  ],
  promiseChange: ['Facile à modifier', 'Easy to change'],
  promiseChangeHelp: [
    'Déplacez ou annulez en ligne, dans le délai indiqué.',
    'Reschedule or cancel online until the deadline.',
  ],
  promiseKept: ['Tout au même endroit', 'All in one place'],
  promiseKeptHelp: [
    'Retrouvez vos rendez-vous en ligne ou dans votre agenda.',
    'See your bookings online or in your calendar.',
  ],
};

export const t = translator(common);
