// Texts of the owner's calendar and of the frame around the owner's pages.
import { add } from '../texts.js';

add({
  manageNavigation: ['Pages de l’établissement', 'Pages of the business'],
  allBusinesses: ['Tous mes établissements', 'All my businesses'],
  pageDay: ['Journée', 'Day'],
  pageWeek: ['Semaine', 'Week'],
  pageServices: ['Prestations', 'Services'],
  pageHours: ['Horaires', 'Opening hours'],
  pageClosures: ['Fermetures', 'Closures'],
  pageRules: ['Règles', 'Rules'],
  pageMessages: ['Messages', 'Messages'],
  pageFigures: ['Chiffres', 'Figures'],
  pageShare: ['Partager', 'Share'],

  // Calendar
  calendar: ['Calendrier', 'Calendar'],
  gridHelp: [
    'Flèches haut et bas : d’un rendez-vous à l’autre ; gauche et droite : d’un jour à l’autre ; Entrée ouvre.',
    'Up and down arrows: from booking to booking; left and right: from day to day; Enter opens.',
  ],
  toToday: ['Aujourd’hui', 'Today'],
  goToDay: ['Aller à la date', 'Go to date'],
  newVisit: ['Nouveau rendez-vous', 'New booking'],
  free: ['Libre', 'Free'],
  gapLabel: [
    'Libre de {from} à {to}, {n} place : prendre un rendez-vous|Libre de {from} à {to}, {n} places : prendre un rendez-vous',
    'Free from {from} to {to}, {n} place: make a booking|Free from {from} to {to}, {n} places: make a booking',
  ],
  closedFor: ['Fermé : {title}', 'Closed: {title}'],
  people: ['{n} personne|{n} personnes', '{n} person|{n} people'],
  placesLeft: ['{n} libre|{n} libres', '{n} left|{n} left'],
  changedMeanwhile: [
    'Ce rendez-vous vient d’être modifié par quelqu’un d’autre. Regardez où il en est avant de recommencer.',
    'Somebody else has just changed this booking. See how it stands before you try again.',
  ],

  // What awaits approval
  pending: ['{n} demande à valider|{n} demandes à valider', '{n} request to approve|{n} requests to approve'],
  approve: ['Accepter', 'Approve'],
  approveOf: ['Accepter la demande de {who}', 'Approve the request of {who}'],
  refuse: ['Refuser', 'Refuse'],
  refuseOrMove: ['Autre réponse…', 'Another answer…'],
  moreOf: ['Autre réponse à {who}', 'Another answer to {who}'],
  approved: ['La demande de {who} est acceptée.', 'The request of {who} is approved.'],

  // A booking for somebody who calls
  service: ['Prestation', 'Service'],
  day: ['Jour', 'Day'],
  time: ['Heure', 'Time'],
  customer: ['Client', 'Customer'],
  customerHint: ['Prénom et nom', 'First and last name'],
  note: ['Note', 'Note'],
  bookAt: ['Prendre rendez-vous {when}', 'Book {when}'],
  bookedFor: ['Rendez-vous pris pour {who}, {when}.', 'Booked for {who}, {when}.'],
  nearestTime: [
    'À {time}, cette prestation ne tient pas : voici l’horaire libre suivant.',
    'At {time} this service does not fit: this is the next free time.',
  ],
  noServiceYet: ['Ajoutez d’abord une prestation.', 'Add a service first.'],
  addService: ['Ajouter une prestation', 'Add a service'],

  // One visit
  do_confirmee: ['Accepter', 'Approve'],
  do_honoree: ['Est venu', 'Came'],
  do_absente: ['N’est pas venu', 'Did not come'],
  told_confirmee: ['La demande de {who} est acceptée.', 'The request of {who} is approved.'],
  told_honoree: ['Noté : {who} est venu.', 'Noted: {who} came.'],
  told_absente: ['Noté : {who} n’est pas venu.', 'Noted: {who} did not come.'],
  visitMoved: ['Le rendez-vous de {who} est déplacé : {when}.', 'The booking of {who} is moved: {when}.'],
  visitRefused: ['La demande de {who} est refusée.', 'The request of {who} is refused.'],
  visitCancelled: ['Le rendez-vous de {who} est annulé.', 'The booking of {who} is cancelled.'],
  word: ['Un mot pour le client', 'A word to the customer'],
  wordHint: ['Il part avec le message qui annonce le changement.', 'It goes out with the message that tells of the change.'],
  refuseYes: ['Refuser la demande', 'Refuse the request'],
  moveTo: ['Nouvel horaire : {when}', 'New time: {when}'],
  moveYes: ['Déplacer le rendez-vous', 'Move the booking'],
  otherTime: ['Autre horaire', 'Another time'],
  addToCourse: ['Ajouter quelqu’un ({n} place libre)|Ajouter quelqu’un ({n} places libres)', 'Add somebody ({n} place left)|Add somebody ({n} places left)'],
  backToCourse: ['Tous les inscrits', 'Everybody booked'],
});
