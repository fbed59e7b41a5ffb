// Texts of the owner's calendar, and of the menu on all pages of a business.
import { common, translator } from '../texts.js';
import { offered } from './offered.js';

/** @satisfies {import('../texts.js').Texts} */
export const calendar = {
  manageNavigation: ['Pages de l’établissement', 'Business pages'],
  allBusinesses: ['Tous mes établissements', 'All my businesses'],
  pageTeam: ['Équipe', 'Team'],
  pageCustomers: ['Clients', 'Customers'],
  pageHours: ['Horaires', 'Opening hours'],
  pageClosures: ['Fermetures', 'Closures'],
  pageAbout: ['Établissement', 'Business details'],
  pageRules: ['Règles', 'Booking rules'],
  pageMessages: ['Messages', 'Messages'],
  pageFigures: ['Statistiques', 'Statistics'],
  pageShare: ['Partager', 'Share'],

  notYetOpen: ['Pas encore ouvert aux rendez-vous', 'Not open for bookings yet'],
  changedMeanwhile: [
    'Quelqu’un d’autre vient de modifier ce rendez-vous. Actualisez avant de recommencer.',
    'Someone else has just changed this booking. Refresh before you try again.',
  ],

  // Booking requests
  pending: ['{n} demande à valider|{n} demandes à valider', '{n} request|{n} requests'],
  approve: ['Accepter', 'Accept'],
  approveOf: ['Accepter la demande de {who}', 'Accept the request from {who}'],
  refuseOrMove: ['Autre réponse…', 'Other reply…'],
  moreOf: ['Autre réponse à {who}', 'Other reply to {who}'],
  told_confirmee: ['La demande de {who} est acceptée.', 'The request from {who} is accepted.'],

  // Calendar
  calendar: ['Agenda', 'Calendar'],
  view: ['Affichage', 'View'],
  view_jour: ['Jour', 'Day'],
  view_semaine: ['Semaine', 'Week'],
  view_mois: ['Mois', 'Month'],
  view_liste: ['Liste', 'List'],
  toToday: ['Aujourd’hui', 'Today'],
  goToDay: ['Aller à la date', 'Go to date'],
  newBooking: ['Nouveau rendez-vous', 'New booking'],
  closeDay: ['Fermer la journée', 'Close this day'],
  colours: ['Couleurs', 'Colours'],
  byService: ['Par prestation', 'By service'],
  byPerson: ['Par personne', 'By person'],
  moreVisits: ['+ {n} autre|+ {n} autres', '+ {n} more|+ {n} more'],

  // The calendar as a list
  listTitle: ['Détail de l’agenda', 'Calendar details'],
  free: ['Libre', 'Free'],
  gapLabel: ['Libre de {from} à {to}, {places}', 'Free from {from} to {to}, {places}'],
  visits: ['{n} rendez-vous|{n} rendez-vous', '{n} booking|{n} bookings'],
  wholeDay: ['Toute la journée', 'All day'],
  closedFor: ['Fermé : {title}', 'Closed: {title}'],
  edit: ['Modifier', 'Edit'],
  editOf: ['Modifier {name}', 'Edit {name}'],
  blockTime: ['Bloquer', 'Block'],
  blockLabel: ['Bloquer de {from} à {to}', 'Block from {from} to {to}'],
  placesLeft: ['{n} libre|{n} libres', '{n} left|{n} left'],

  // Drag and drop
  undoChange: ['Annuler ce changement', 'Undo this change'],
  undone: ['Le changement est annulé.', 'The change is undone.'],
  dropClosed: ['Fermé à cet horaire.', 'Closed at this time.'],
  dropPast: ['Cet horaire est passé.', 'This time has passed.'],
  dropTaken: ['Déjà pris à cet horaire.', 'Already taken at this time.'],
  dropUnable: ['Cette prestation n’est pas possible ici.', 'This service is not possible here.'],
  dropKept: ['Le rendez-vous reste où il était.', 'The booking stays where it was.'],

  // Team
  addPerson: ['Ajouter une personne', 'Add a person'],
  shownMembers: ['Agenda affiché', 'Calendar shown'],
  wholeTeam: ['Toute l’équipe', 'Whole team'],
  absence: ['Absence', 'Absence'],
  absenceOf: ['Absence de {name}', 'Absence of {name}'],
  nothingBooked: ['Aucun rendez-vous', 'No bookings'],

  // First steps
  confirmFirst: [
    'Confirmez votre adresse e-mail : d’ici là, vos clients ne reçoivent pas vos messages.',
    'Confirm your e-mail address: until then, your customers do not get your messages.',
  ],
  firstSteps: ['Votre agenda est prêt à se remplir', 'Get your first bookings'],
  firstService: ['Ajoutez vos prestations', 'Add your services'],
  firstHours: ['Indiquez vos horaires d’ouverture', 'Set your opening hours'],
  firstTrade: [
    'Indiquez votre métier, pour que vos clients vous trouvent',
    'Add your trade, so that customers find you',
  ],
  firstTeam: ['Ajoutez les personnes de votre équipe', 'Add the people who work with you'],
  firstShare: ['Partagez votre page avec vos clients', 'Share your page with your customers'],
  stepDone: ['(fait)', '(done)'],
};

export const t = translator({ ...common, ...offered, ...calendar });
