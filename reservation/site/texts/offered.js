// Texts of what a business offers: its services, photos and free days.

/** @satisfies {import('../texts.js').Texts} */
export const offered = {
  week: ['Semaine', 'Week'],
  month: ['Mois', 'Month'],
  previousMonth: ['Mois précédent', 'Previous month'],
  nextMonth: ['Mois suivant', 'Next month'],
  nothingThisMonth: ['Aucune disponibilité ce mois-ci.', 'No times available this month.'],
  freeDay: ['{day}, {n} horaire|{day}, {n} horaires', '{day}, {n} time|{day}, {n} times'],
  morning: ['Matin', 'Morning'],
  afternoon: ['Après-midi', 'Afternoon'],
  evening: ['Soir', 'Evening'],
  firstTime: ['Premier horaire : {when}', 'First available time: {when}'],
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
};
