// Texts of the owner's bookings, and `t` with the texts of all the owner's pages.
import { common, translator } from '../texts.js';
import { account } from './account.js';
import { booking } from './booking.js';
import { business } from './business.js';
import { calendar } from './calendar.js';
import { customers } from './customers.js';
import { figures } from './figures.js';
import { messages } from './messages.js';
import { photos } from './photos.js';
import { settings } from './settings.js';
import { team } from './team.js';

/** @satisfies {import('../texts.js').Texts} */
const gestion = {
  refuse: ['Refuser', 'Decline'],

  // The dialog for a free time: a booking or a blocked time
  aBooking: ['Un rendez-vous', 'A booking'],
  aBlock: ['Un créneau bloqué', 'A blocked time'],
  newBlock: ['Bloquer un créneau', 'Block a time'],
  blockTitle: ['Indisponible', 'Unavailable'],
  blockTitleHint: ['Visible par vos clients.', 'Shown to customers.'],
  blockYes: ['Bloquer ce créneau', 'Block this time'],
  blockAnyway: ['Bloquer quand même', 'Block anyway'],
  timeBlocked: ['Le créneau est bloqué.', 'The time is blocked.'],

  // The dialog after drag and drop
  moveAsk: ['Déplacer ce rendez-vous ?', 'Move this booking?'],
  moveBlockAsk: ['Modifier cette fermeture ?', 'Change this closure?'],
  moveBlockYes: ['Modifier la fermeture', 'Change the closure'],
  movedTo: ['Vers', 'To'],
  toldAgain: [
    'Si vous annulez ce changement, un nouvel e-mail sera envoyé à {email}.',
    'If you undo this change, another e-mail will be sent to {email}.',
  ],
  blockMoved: ['La fermeture « {title} » est modifiée.', 'The closure “{title}” has been changed.'],

  // Booking for a customer
  service: ['Prestation', 'Service'],
  day: ['Jour', 'Day'],
  time: ['Heure', 'Time'],
  customer: ['Client', 'Customer'],
  customerHint: ['Prénom et nom', 'First and last name'],
  orPhone: ['Ou seulement un numéro de téléphone.', 'Or just a phone number.'],
  renames: [
    'C’est l’adresse de {who}, dont le nom sera remplacé. Pour quelqu’un d’autre, laissez vide.',
    'This is the address of {who}, whose name will be replaced. For someone else, leave it empty.',
  ],
  noEmailNoMessage: [
    'Sans adresse, le client ne reçoit aucun message.',
    'Without an address, the customer gets no messages.',
  ],
  noteHint: ['Visible par le client.', 'Shown to the customer.'],
  bookAt: ['Prendre rendez-vous {when}', 'Book {when}'],
  bookedFor: ['Rendez-vous pris pour {who}, {when}.', 'Booked for {who}, {when}.'],
  onlyPast: [
    'Plus d’horaire libre ce jour-là : ceux de la liste sont passés.',
    'No more free times that day: those in the list have passed.',
  ],
  nearestTime: [
    'Cette prestation n’est pas possible à {time}. Voici l’horaire le plus proche.',
    'This service is not possible at {time}. This is the nearest available time.',
  ],
  noServiceYet: ['Ajoutez d’abord une prestation.', 'Add a service first.'],
  noServiceInRoom: [
    'Aucune prestation n’a lieu dans cette salle. Choisissez-en sur la page « Équipe ».',
    'No service takes place in this room. Choose some on the page “Team”.',
  ],
  addService: ['Ajouter une prestation', 'Add a service'],

  // Details of a booking
  do_confirmee: ['Accepter', 'Accept'],
  do_honoree: ['Rendez-vous honoré', 'Attended'],
  do_absente: ['Rendez-vous manqué', 'No-show'],
  correct: ['Corriger : {state}', 'Correct: {state}'],
  seeRecord: ['Voir la fiche client', 'See the customer record'],
  told_honoree: ['C’est noté : {who} a honoré son rendez-vous.', 'Saved: {who} attended.'],
  told_absente: ['C’est noté : {who} a manqué son rendez-vous.', 'Saved: {who} did not attend.'],
  told_move: [
    'Le rendez-vous de {who} est déplacé : {when}.',
    'The booking of {who} has been moved: {when}.',
  ],
  told_refusee: ['La demande de {who} est refusée.', 'The request from {who} is declined.'],
  told_annulee: ['Le rendez-vous de {who} est annulé.', 'The booking of {who} is cancelled.'],
  word: ['Un mot pour le client', 'Note to the customer'],
  changeTold: [
    'Le client sera prévenu par e-mail à {email}.',
    'The customer will be notified by e-mail at {email}.',
  ],
  changeNotTold: [
    'Le client n’a pas d’adresse e-mail : pensez à le prévenir.',
    'The customer has no e-mail address: remember to let them know.',
  ],
  wordHint: ['Ajouté à l’e-mail qui lui est envoyé.', 'Added to the e-mail that we send.'],
  refuseYes: ['Refuser la demande', 'Decline request'],
  moveTo: ['Nouvel horaire : {when}', 'New time: {when}'],
  moveYes: ['Déplacer le rendez-vous', 'Move booking'],
  otherTime: ['Autre horaire', 'Other time'],
  addToCourse: [
    'Ajouter quelqu’un ({n} place libre)|Ajouter quelqu’un ({n} places libres)',
    'Add someone ({n} place left)|Add someone ({n} places left)',
  ],
  backToCourse: ['Tous les inscrits', 'Everyone booked'],
};

export const t = translator({
  ...common,
  ...account,
  ...booking,
  ...business,
  ...calendar,
  ...customers,
  ...figures,
  ...messages,
  ...photos,
  ...settings,
  ...team,
  ...gestion,
});
