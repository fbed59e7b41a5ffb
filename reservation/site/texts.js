// Every text that people read: key → [French, English]. `{name}` is filled in; of "one|many" the
// part that `n` asks for is shown. Views with many texts of their own keep them in texts/ and add
// them here with `add`.
import { useEffect, useState } from './vendor/htm-3.1.1.js';

export const LANGUAGES = ['fr', 'en'];
const NAME = 'language';
const watchers = new Set();
let current = chosen();
let plural = new Intl.PluralRules(current);

const TEXTS = {
  brand: ['Réservation', 'Reservation'],
  skip: ['Aller au contenu', 'Skip to content'],
  menu: ['Menu', 'Menu'],
  mainNavigation: ['Navigation principale', 'Main navigation'],
  navVisits: ['Mes rendez-vous', 'My bookings'],
  navManage: ['Mon établissement', 'My business'],
  navAccount: ['Mon compte', 'My account'],
  navOffer: ['Proposer mes services', 'Offer my services'],
  navContact: ['Nous écrire', 'Contact us'],
  signIn: ['Se connecter', 'Sign in'],
  signOut: ['Se déconnecter', 'Sign out'],
  signedOut: ['Vous êtes déconnecté.', 'You are signed out.'],
  register: ['Créer un compte', 'Create an account'],
  otherLanguage: ['English', 'Français'],
  footer: [
    'Prenez rendez-vous à toute heure, sans attendre au téléphone.',
    'Book at any hour, without waiting on the phone.',
  ],
  loading: ['Chargement…', 'Loading…'],
  close: ['Fermer', 'Close'],
  cancel: ['Annuler', 'Cancel'],
  back: ['Retour', 'Back'],
  save: ['Enregistrer', 'Save'],
  saved: ['C’est enregistré.', 'Saved.'],
  more: ['Afficher la suite', 'Show more'],
  tryAgain: ['Réessayer', 'Try again'],
  optional: ['facultatif', 'optional'],
  missingPage: ['Page introuvable', 'Page not found'],
  brokenPage: ['Impossible d’afficher cette page', 'This page cannot be shown'],
  missingPageHelp: [
    'Cette adresse ne mène nulle part, ou ce que vous cherchez n’existe plus.',
    'This address leads nowhere, or what you look for is gone.',
  ],
  backToSearch: ['Revenir à la recherche', 'Back to search'],
  sessionEnded: ['Votre session a pris fin', 'Your session has ended'],
  sessionEndedHelp: [
    'Reconnectez-vous pour continuer : rien de ce que vous avez saisi n’est perdu.',
    'Sign in to go on: nothing that you typed is lost.',
  ],
  // Errors that any view may meet; those of fields are in errors.js.
  offline: [
    'La connexion est interrompue. Ce que vous avez saisi est conservé.',
    'The connection is down. What you typed is kept.',
  ],
  unavailable: [
    'Le service est momentanément indisponible. Ce que vous avez saisi est conservé.',
    'The service is unavailable for a moment. What you typed is kept.',
  ],
  refused: ['La demande a été refusée : {why}', 'The request was refused: {why}'],
  notPermitted: ['Ce compte n’y est pas autorisé.', 'This account is not allowed to do that.'],
  stale: [
    'Cela a changé entre-temps : rechargez avant de recommencer.',
    'This has changed meanwhile: reload, then try again.',
  ],
  seePresent: ['Voir l’état actuel', 'See the present state'],
  errorsInForm: ['Vérifiez les champs signalés.', 'Check the marked fields.'],
  // Lengths and prices
  minutes: ['{n} min', '{n} min'],
  hours: ['{n} h', '{n} h'],
  dayAtTime: ['{day} à {time}', '{day} at {time}'],
  places: ['{n} place|{n} places', '{n} place|{n} places'],
  // Search, the first view
  searchTitle: ['Prenez rendez‑vous, simplement.', 'Book an appointment, simply.'],
  searchLead: [
    'Trouvez un créneau libre près de chez vous et réservez-le en un instant, jour et nuit.',
    'Find a free time near you and book it in a moment, day or night.',
  ],
  what: ['Quoi ?', 'What?'],
  whatHint: ['Prestation ou établissement', 'Service or business'],
  where: ['Où ?', 'Where?'],
  whereHint: ['Ville', 'City'],
  when: ['Quand ?', 'When?'],
  search: ['Rechercher', 'Search'],
  popular: ['Souvent recherché', 'Often searched'],
  suggestions: ['{n} suggestion|{n} suggestions', '{n} suggestion|{n} suggestions'],
  noSuggestion: ['Aucune suggestion', 'No suggestion'],
  discover: ['Des établissements à découvrir', 'Businesses to discover'],
  seeTimes: ['Voir les disponibilités', 'See free times'],
  promiseInstant: ['Confirmé aussitôt', 'Confirmed at once'],
  promiseInstantHelp: [
    'Choisissez un horaire libre : il est à vous, et à personne d’autre.',
    'Choose a free time: it is yours, and nobody else’s.',
  ],
  promiseChange: ['Modifiable en deux clics', 'Changed in two clicks'],
  promiseChangeHelp: [
    'Déplacez ou annulez en ligne, jusqu’au délai annoncé.',
    'Move or cancel online, up to the deadline that is told.',
  ],
  promiseRemind: ['Rappelé à temps', 'Reminded in time'],
  promiseRemindHelp: [
    'Un message avant la visite, et une entrée pour votre agenda.',
    'A message before your visit, and an entry for your calendar.',
  ],
};

function chosen() {
  try {
    const kept = localStorage.getItem(NAME);
    if (LANGUAGES.includes(kept)) return kept;
  } catch { /* what the browser says, then */ }
  return navigator.language.startsWith('en') ? 'en' : 'fr';
}

export const add = (texts) => Object.assign(TEXTS, texts);
export const language = () => current;

/** The text of a key in the visitor's language: t('places', {n: 2}). */
export function t(key, values = {}) {
  const both = TEXTS[key];
  if (!both) throw new Error(`no text: ${key}`);
  const forms = both[LANGUAGES.indexOf(current)].split('|');
  const text = forms.length > 1 && plural.select(values.n) !== 'one' ? forms[1] : forms[0];
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export function setLanguage(language) {
  current = language;
  plural = new Intl.PluralRules(current);
  try {
    localStorage.setItem(NAME, current);
  } catch { /* until the page is closed */ }
  for (const show of watchers) show(current);
}

/** The language; whoever calls it is drawn anew when it changes. */
export function useLanguage() {
  const [shown, show] = useState(current);
  useEffect(() => {
    watchers.add(show);
    return () => watchers.delete(show);
  }, []);
  return shown;
}
