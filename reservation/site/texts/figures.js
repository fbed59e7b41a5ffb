// Texts of the statistics.

/** @satisfies {import('../texts.js').Texts} */
export const figures = {
  figuresLead: [
    'Votre activité, comparée à la période précédente.',
    'How your business is doing, compared with the previous period.',
  ],
  period: ['Période', 'Period'],
  period_7j: ['7 derniers jours', 'Last 7 days'],
  period_30j: ['30 derniers jours', 'Last 30 days'],
  period_suite: ['30 prochains jours', 'Next 30 days'],
  period_mois: ['Ce mois-ci', 'This month'],
  'period_mois-dernier': ['Le mois dernier', 'Last month'],
  period_annee: ['Cette année', 'This year'],
  'period_annee-derniere': ['L’année dernière', 'Last year'],
  period_dates: ['Dates au choix…', 'Custom dates…'],
  datesFrom: ['Du', 'From'],
  datesTo: ['Au', 'To'],
  datesBetween: ['{from} – {to}', '{from} – {to}'],
  comparedWith: ['Comparaison avec : {dates}', 'Compared with: {dates}'],
  exportFigures: ['Exporter (CSV)', 'Export (CSV)'],
  noFigures: [
    'Aucun rendez-vous sur cette période. Faites connaître votre page de réservation.',
    'No bookings in this period. Share your booking page to get some.',
  ],
  sharePage: ['Partager ma page', 'Share my page'],

  revenue: ['Chiffre d’affaires réservé', 'Booked revenue'],
  ofWhichHonoured: ['dont rendez-vous honorés : {amount}', 'of which attended: {amount}'],
  occupancy: ['Taux d’occupation', 'Occupancy'],
  ofOpenHours: [
    '{taken}\u00a0h prise sur {open}\u00a0h|{taken}\u00a0h prises sur {open}\u00a0h',
    '{taken}\u00a0h booked of {open}\u00a0h|{taken}\u00a0h booked of {open}\u00a0h',
  ],
  bookings: ['Rendez-vous', 'Bookings'],
  andCancelled: ['et {n} annulé|et {n} annulés', 'and {n} cancelled|and {n} cancelled'],
  returning: [
    'dont {n} déjà venu ({share})|dont {n} déjà venus ({share})',
    '{n} returning ({share})|{n} returning ({share})',
  ],
  noShows: ['Rendez-vous manqués', 'No-shows'],
  ofDecided: [
    '{missed} sur {n} honoré ou manqué|{missed} sur {n} honorés ou manqués',
    '{missed} of {n} attended or missed|{missed} of {n} attended or missed',
  ],
  beforeValue: ['avant : {value}', 'before: {value}'],
  points: ['{n} pt|{n} pts', '{n} pt|{n} pts'],

  revenueChart: ['Chiffre d’affaires', 'Revenue'],
  chartLabel: [
    '{name}, en barres. Le tableau contient les mêmes chiffres.',
    '{name} as bars. The table has the same figures.',
  ],
  figuresTable: ['Chiffres de la période', 'Figures of the period'],
  booked: ['Réservé', 'Booked'],
  honoured: ['Honoré', 'Attended'],
  filled: ['Occupation', 'Occupancy'],
  missed: ['Manqués', 'No-shows'],
  cancelledMany: ['Annulés', 'Cancelled'],
  total: ['Total', 'Total'],
  nameOf: ['Nom', 'Name'],
  share: ['Part', 'Share'],
  pricesThen: [
    'Chaque rendez-vous compte au prix de sa prestation au moment de la réservation.',
    'Each booking counts at the price of its service when it was booked.',
  ],
};
