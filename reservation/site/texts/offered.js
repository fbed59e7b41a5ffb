// Texts for customers and owners: what a business offers (services, photos, free days, persons),
// and the bookings in a calendar.
import { common, translator } from '../texts.js';

/** @satisfies {import('../texts.js').Texts} */
export const offered = {
  services: ['Prestations', 'Services'],
  week: ['Semaine', 'Week'],
  month: ['Mois', 'Month'],
  previousDay: ['Jour précédent', 'Previous day'],
  nextDay: ['Jour suivant', 'Next day'],
  previousWeek: ['Semaine précédente', 'Previous week'],
  nextWeek: ['Semaine suivante', 'Next week'],
  weekFrom: ['Du {from} au {to}', '{from} to {to}'],
  previousMonth: ['Mois précédent', 'Previous month'],
  nextMonth: ['Mois suivant', 'Next month'],
  nothingThisMonth: ['Aucune disponibilité ce mois-ci.', 'No times available this month.'],
  freeDay: [
    '{day}, {n} horaire libre|{day}, {n} horaires libres',
    '{day}, {n} available time|{day}, {n} available times',
  ],
  closed: ['Fermé', 'Closed'],
  otherClock: [
    'Les heures sont celles de l’établissement ({zone}), pas celles de votre appareil.',
    'Times are in the time zone of the business ({zone}), not of your device.',
  ],
  morning: ['Matin', 'Morning'],
  afternoon: ['Après-midi', 'Afternoon'],
  evening: ['Soir', 'Evening'],
  firstTime: ['Premier horaire : {when}', 'First available time: {when}'],
  readMore: ['Lire la suite', 'Read more'],
  readLess: ['Réduire', 'Show less'],
  map: ['Plan', 'Map'],
  photoOf: ['{name}, photo {n}', '{name}, photo {n}'],
  logoOf: ['Logo : {name}', '{name} logo'],
  otherServices: ['Autres prestations', 'Other services'],
  findService: ['Chercher une prestation', 'Find a service'],
  servicesFound: [
    '{n} prestation trouvée|{n} prestations trouvées',
    '{n} service found|{n} services found',
  ],
  moreServices: [
    'Afficher {n} prestation de plus|Afficher {n} prestations de plus',
    'Show {n} more service|Show {n} more services',
  ],

  // Choice of a person
  choosePerson: ['2. Avec qui ?', '2. Who would you like to see?'],
  chooseTimeThird: ['3. Choisissez un horaire', '3. Choose a time'],
  whoLabel: ['Avec qui', 'With'],
  withName: ['avec {name}', 'with {name}'],
  noPreference: ['Sans préférence', 'No preference'],
  noPreferenceHelp: ['Le plus grand choix d’horaires.', 'The widest choice of times.'],
  timeWith: ['{label}, avec {name}', '{label}, with {name}'],

  // Bookings
  erased: ['Client effacé', 'Erased customer'],
  demandee: ['En attente de validation', 'Awaiting approval'],
  confirmee: ['Confirmé', 'Confirmed'],
  refusee: ['Refusé', 'Declined'],
  annulee: ['Annulé', 'Cancelled'],
  honoree: ['Honoré', 'Attended'],
  absente: ['Manqué', 'Missed'],
};

export const t = translator({ ...common, ...offered });
