// Texts of search results, businesses, booking and the customer's bookings.
import { common, translator } from '../texts.js';
import { offered } from './offered.js';

/** @satisfies {import('../texts.js').Texts} */
export const booking = {
  ...offered,
  // Search results
  resultsFor: ['{what} : disponibilités', '{what}: availability'],
  allServices: ['Toutes les prestations', 'All services'],
  found: [
    '{n} établissement disponible|{n} établissements disponibles',
    '{n} business available|{n} businesses available',
  ],
  laterDays: ['Voir les jours suivants', 'Show later days'],
  nothingThatDay: ['Aucun horaire disponible ce jour-là.', 'No times available that day.'],
  nothingSoon: [
    'Rien de disponible dans les deux semaines à venir. Établissements correspondants :',
    'Nothing is available in the next two weeks. These businesses match your search:',
  ],
  asSoonAsPossible: ['Dès que possible', 'As soon as possible'],
  moreTimes: ['Tous les horaires', 'All times'],
  moreBusinesses: ['Plus d’établissements', 'More businesses'],
  timeOf: ['{time}, {day} : {service}, {business}', '{time}, {day}: {service}, {business}'],

  // The page of a business
  chooseService: ['1. Choisissez une prestation', '1. Choose a service'],
  chooseTime: ['2. Choisissez un horaire', '2. Choose a time'],
  noService: [
    'Cet établissement ne propose pas encore de prestation.',
    'This business does not offer any services yet.',
  ],
  notTaking: [
    'Cet établissement ne prend plus de rendez-vous en ligne.',
    'This business no longer takes bookings online.',
  ],
  showAllTimes: ['Afficher tous les horaires', 'Show all times'],
  showFewerTimes: ['Afficher moins d’horaires', 'Show fewer times'],
  nothingThisWeek: ['Aucune disponibilité cette semaine.', 'No times available this week.'],
  nothingAhead: ['Aucune disponibilité pour le moment.', 'No times available at the moment.'],
  nextFree: ['Prochaine disponibilité : {when}', 'Next available: {when}'],
  information: ['Informations', 'Information'],
  openingHours: ['Horaires d’ouverture', 'Opening hours'],
  comingEvents: ['À noter', 'Please note'],
  event_fermeture: ['Fermeture', 'Closed'],
  event_ouverture: ['Ouverture exceptionnelle', 'Special opening'],
  event_horaires: ['Horaires exceptionnels', 'Special hours'],
  event_information: ['Annonce', 'Notice'],
  onDayBetween: ['{day}, de {from} à {to}', '{day}, {from} to {to}'],
  betweenDays: ['du {from} au {to}', '{from} to {to}'],
  cancelRule: [
    'Déplacement et annulation jusqu’à {span} avant',
    'Reschedule or cancel up to {span} before',
  ],
  cancelRuleNone: [
    'Déplacement et annulation jusqu’à l’heure prévue',
    'Reschedule or cancel until the start time',
  ],
  upcomingRule: [
    'Au plus {n} rendez-vous à venir par client|Au plus {n} rendez-vous à venir par client',
    'At most {n} upcoming booking per customer|At most {n} upcoming bookings per customer',
  ],
  approvalRule: [
    'Chaque demande est validée par l’établissement',
    'The business approves each request',
  ],

  // Booking a time
  bookTitle: ['Votre rendez-vous', 'Your booking'],
  change: ['Modifier', 'Change'],
  stepWho: ['Identifiez-vous', 'Who is booking?'],
  stepConfirm: ['Confirmez votre rendez-vous', 'Confirm your booking'],
  choiceKept: [
    'Votre horaire reste sélectionné pendant que vous vous connectez.',
    'Your time stays selected while you sign in.',
  ],
  comment: ['Un mot pour l’établissement', 'Note to the business'],
  howMany: ['Nombre de places', 'Number of places'],
  confirm: ['Confirmer le rendez-vous', 'Confirm booking'],
  askFor: ['Envoyer la demande', 'Send request'],
  bookedAs: ['Au nom de {name} ({email})', 'Booking as {name} ({email})'],
  notYou: ['Ce n’est pas vous ?', 'Not you?'],
  taken: ['Cet horaire vient d’être pris.', 'This time has just been taken.'],
  takenGone: ['Cet horaire n’est plus disponible.', 'This time is no longer available.'],
  takenHelp: [
    'Voici les horaires disponibles les plus proches :',
    'These are the nearest available times:',
  ],
  takenNothing: [
    'Aucun horaire proche n’est disponible.',
    'No other time is available around then.',
  ],
  seeWholeWeek: ['Voir toute la semaine', 'See the whole week'],
  lostAnswer: [
    'Le rendez-vous est peut-être enregistré. Réessayez : il ne sera pas pris deux fois.',
    'The booking may have been saved. Try again: you will not be booked twice.',
  ],
  until: [
    'Vous pouvez le déplacer ou l’annuler jusqu’au {when}.',
    'You can reschedule or cancel until {when}.',
  ],
  untilAsked: [
    'Vous pouvez le déplacer ou l’annuler jusqu’au {when} ou, une fois validé, jusqu’au {after}.',
    'You can reschedule or cancel until {when} or, once it is approved, until {after}.',
  ],
  neverLater: [
    'Une fois confirmé, ce rendez-vous ne pourra plus être déplacé ni annulé en ligne.',
    'Once confirmed, this booking can no longer be rescheduled or cancelled online.',
  ],
  embeddedBy: ['Réservation en ligne', 'Online booking'],
  bookInTab: ['Continuer dans un nouvel onglet', 'Continue in a new tab'],
  bookAnother: ['Prendre un autre rendez-vous', 'Make another booking'],
  seeBooking: ['Voir, déplacer ou annuler', 'View, reschedule or cancel'],

  // The page of a booking
  bookedTitle: ['C’est réservé !', 'You’re booked!'],
  askedTitle: ['Votre demande est envoyée', 'Your request has been sent'],
  bookedLead: [
    'Vous allez recevoir un e-mail de confirmation.',
    'You will receive a confirmation by e-mail.',
  ],
  askedLead: ['L’établissement vous répondra par e-mail.', 'The business will reply by e-mail.'],
  bookingTitle: ['Rendez-vous', 'Booking'],
  whenLabel: ['Quand', 'When'],
  whatLabel: ['Quoi', 'What'],
  whereLabel: ['Où', 'Where'],
  commentLabel: ['Note', 'Note'],
  alsoAddTo: ['Autres agendas :', 'Other calendars:'],
  addToCalendar: ['Ajouter à mon agenda', 'Add to calendar'],
  move: ['Déplacer', 'Reschedule'],
  moveTitle: ['Choisissez un nouvel horaire', 'Choose a new time'],
  moveSure: ['Déplacer ce rendez-vous ?', 'Reschedule this booking?'],
  timeNow: ['Actuellement', 'Currently'],
  timeThen: ['Nouvel horaire', 'New time'],
  moveIt: ['Déplacer le rendez-vous', 'Reschedule booking'],
  moveAsks: [
    'Votre horaire actuel sera aussitôt libéré, et l’établissement devra valider le nouveau.',
    'Your current time is given up at once, and the business must approve the new one.',
  ],
  moveKeep: ['Garder l’horaire actuel', 'Keep the current time'],
  moved: ['Le rendez-vous est déplacé au {when}.', 'Your booking has been rescheduled to {when}.'],
  movedIfApproved: [
    'Nouvel horaire demandé : {when}. L’établissement doit le valider.',
    'New time requested: {when}. The business must approve it.',
  ],
  cancelBooking: ['Annuler le rendez-vous', 'Cancel booking'],
  cancelSure: ['Annuler ce rendez-vous ?', 'Cancel this booking?'],
  cancelSureHelp: [
    'L’horaire sera proposé à d’autres clients. Vous ne pourrez pas revenir en arrière.',
    'Other customers can then book this time. You cannot undo this.',
  ],
  changedSince: [
    'Le rendez-vous a changé entre-temps. Vérifiez son horaire avant de confirmer.',
    'The booking has changed in the meantime. Check its time before you confirm.',
  ],
  cancelYes: ['Oui, annuler', 'Yes, cancel'],
  cancelNo: ['Non, le garder', 'No, keep it'],
  cancelled: ['Le rendez-vous est annulé.', 'Your booking has been cancelled.'],
  tooLate: [
    'Le délai pour déplacer ou annuler en ligne est dépassé ({when}). Contactez l’établissement.',
    'The deadline to reschedule or cancel online has passed ({when}). Please contact the business.',
  ],
  closedThen: [
    'L’établissement ne peut pas vous recevoir à cette heure. Déplacez ou annulez le rendez-vous.',
    'The business cannot see you at that time. Reschedule or cancel the booking.',
  ],
  bookAgain: ['Reprendre rendez-vous', 'Book again'],

  // Links in e-mails
  linkEnded: ['Ce lien ne fonctionne pas', 'This link does not work'],
  linkEndedWhy: [
    'Le rendez-vous est passé, ou un changement sur votre compte a désactivé le lien.',
    'The appointment is over, or a change to your account has disabled the link.',
  ],
  linkMissing: [
    'Ouvrez de nouveau le lien de l’e-mail : cette adresse est incomplète.',
    'Open the link in the e-mail again: this address is incomplete.',
  ],
  linkEndedHelp: [
    'Connectez-vous pour retrouver vos rendez-vous.',
    'Sign in to find your bookings.',
  ],

  // The customer's bookings
  coming: ['À venir', 'Upcoming'],
  past: ['Passés', 'Past'],
  noComing: ['Aucun rendez-vous à venir.', 'No upcoming bookings.'],
  noPast: ['Aucun rendez-vous passé.', 'No past bookings.'],
  findTime: ['Prendre rendez-vous', 'Find a time'],
};

export const t = translator({ ...common, ...booking });
