// Texts for the rules and details of a business, for adding a business, and for sharing.

/** @satisfies {import('../texts.js').Texts} */
export const business = {
  // Rules
  rulesLead: [
    'Ce que vos clients peuvent faire, et jusqu’à quand.',
    'What your customers can do, and until when.',
  ],
  rulesOfBooking: ['Règles de réservation', 'Booking rules'],
  delaiReservation: ['Réservation possible au plus tard', 'Latest time to book'],
  delaiReservationHint: ['Le temps qu’il vous faut pour vous préparer.', 'The notice you need.'],
  horizonJours: ['Réservation possible à l’avance', 'How far ahead customers can book'],
  horizonJoursHint: [
    'Cette limite vaut aussi pour vous. Chaque jour, un jour de plus s’ouvre.',
    'This limit also applies to you. Each day, one more day opens.',
  ],
  delaiAnnulation: [
    'Déplacement ou annulation au plus tard',
    'Latest time to reschedule or cancel',
  ],
  delaiAnnulationHint: [
    'Ensuite, le client doit vous appeler.',
    'After that, customers must call you.',
  ],
  rappelHeures: ['Rappel par e-mail', 'E-mail reminder'],
  rappelHeuresHint: ['Un rappel évite bien des oublis.', 'A reminder helps people remember.'],
  maxAVenir: ['Rendez-vous à venir par client', 'Upcoming bookings per customer'],
  maxAVenirHint: [
    'Au-delà, le client doit vous appeler. Laissez vide pour ne pas limiter.',
    'Beyond that, customers must call you. Leave empty for no limit.',
  ],
  sayUpcoming: [
    'Chacun a au plus {n} rendez-vous à venir.|Chacun a au plus {n} rendez-vous à venir.',
    'Each has at most {n} upcoming booking.|Each has at most {n} upcoming bookings.',
  ],
  untilStart: ['Au début du rendez-vous', 'When the appointment starts'],
  beforeBooking: ['{span} avant', '{span} before'],
  noReminder: ['Pas de rappel', 'No reminder'],
  approval: ['Quand un client réserve', 'When a customer books'],
  approvalAtOnce: ['Confirmation automatique', 'Automatic confirmation'],
  approvalAtOnceHelp: ['Vous n’avez rien à faire.', 'You do not have to do anything.'],
  approvalByHand: ['Je valide chaque demande', 'I approve each request'],
  approvalByHandHelp: [
    'L’horaire est bloqué en attendant votre réponse.',
    'The time is held until you reply.',
  ],
  sayNotice: [
    'Vos clients réservent jusqu’à {horizon} à l’avance, au plus tard {notice}.',
    'Customers can book up to {horizon} ahead, no later than {notice}.',
  ],
  sayNoticeNone: [
    'Vos clients réservent jusqu’à {horizon} à l’avance, même au dernier moment.',
    'Customers can book up to {horizon} ahead, even at the last minute.',
  ],
  sayDeadline: [
    'Ils peuvent déplacer ou annuler au plus tard {deadline}.',
    'They can reschedule or cancel no later than {deadline}.',
  ],
  sayDeadlineNone: [
    'Ils peuvent déplacer ou annuler jusqu’au début du rendez-vous.',
    'They can reschedule or cancel until the start.',
  ],
  sayApproval: ['Vous validez chaque demande.', 'You approve each request.'],
  sayAtOnce: [
    'Chaque rendez-vous est confirmé aussitôt.',
    'Each booking is confirmed immediately.',
  ],
  sayReminder: ['Un rappel est envoyé {span} avant.', 'A reminder is sent {span} before.'],
  sayNoReminder: ['Aucun rappel n’est envoyé.', 'No reminder is sent.'],
  aboutLead: [
    'Ce que vos clients voient sur votre page de réservation.',
    'What customers see on your booking page.',
  ],
  presentation: ['Présentation', 'About'],
  descriptionHint: [
    'Votre métier, votre équipe, comment venir : quelques lignes suffisent.',
    'What you do, your team, how to get there: a few lines are enough.',
  ],
  address: ['Adresse', 'Address'],
  reachable: ['Contact', 'Contact'],
  onlineBooking: ['Réservation en ligne', 'Online booking'],
  businessName: ['Nom de l’établissement', 'Business name'],
  trades: ['Métiers', 'Trades'],
  tradesHint: [
    'Jusqu’à cinq, par exemple « Coiffeur ». Vos clients vous trouvent grâce à ces mots.',
    'Up to five, such as “Hairdresser”. Customers find you by these words.',
  ],
  newTrade: ['Nouveau métier', 'New trade'],
  addTrade: ['Ajouter ce métier', 'Add this trade'],
  removeTrade: ['Retirer « {name} »', 'Remove “{name}”'],
  street: ['Numéro et rue', 'Street and number'],
  postCode: ['Code postal', 'Postcode'],
  city: ['Ville', 'City'],
  zone: ['Fuseau horaire', 'Time zone'],
  zoneHint: ['Tous vos horaires sont dans ce fuseau.', 'All your hours are in this time zone.'],
  takesBookings: ['Ouvert à la réservation en ligne', 'Open for online booking'],
  takesNoBookings: ['Fermé à la réservation en ligne', 'Closed for online booking'],

  // The user's businesses, and adding a business
  yourBusinesses: ['Mes établissements', 'My businesses'],
  openBusiness: ['Ajouter un établissement', 'Add a business'],
  openBusinessLead: [
    'Trois étapes, et vos clients peuvent réserver.',
    'Three steps, and your customers can book.',
  ],
  stepBusiness: ['L’établissement', 'Business'],
  stepService: ['Une prestation', 'Service'],
  stepHours: ['Les horaires', 'Opening hours'],
  moreLater: ['Vous pourrez tout compléter ensuite.', 'You can add more later.'],
  finish: ['Ouvrir la réservation', 'Start taking bookings'],
  noOpenDay: ['Choisissez au moins un jour d’ouverture.', 'Choose at least one opening day.'],
  openDays: ['Jours d’ouverture', 'Opening days'],
  opensAt: ['Ouverture à', 'Opens at'],
  closesAt: ['Fermeture à', 'Closes at'],
  breakFrom: ['Pause à', 'Break from'],
  breakTo: ['Reprise à', 'Break until'],
  businessReady: ['{name} est ouvert à la réservation.', '{name} is open for booking.'],

  // Sharing
  shareLead: ['Les adresses à communiquer à vos clients.', 'Links to share with your customers.'],
  yourPage: ['Votre page de réservation', 'Your booking page'],
  yourPageHelp: [
    'Pour vos e-mails, vos cartes de visite et vos réseaux sociaux.',
    'For your e-mails, business cards and social media.',
  ],
  seePage: ['Voir la page', 'View page'],
  onYourSite: ['Sur votre site', 'On your website'],
  onYourSiteHelp: [
    'Collez ce code dans une page : vos clients réservent sans quitter votre site.',
    'Paste this code into a page, so that customers book without leaving your website.',
  ],
  seeFrame: ['Voir l’aperçu', 'Preview'],
  frameTitle: ['Prendre rendez-vous : {name}', 'Book: {name}'],
  calendarFeed: ['Dans votre agenda', 'In your calendar'],
  calendarFeedHelp: [
    'Abonnez votre agenda à cette adresse privée. Quiconque la connaît voit vos rendez-vous.',
    'Subscribe to this private address in your calendar. Anyone who has it can see your bookings.',
  ],
  copied: ['C’est copié.', 'Copied.'],
  copyText: ['Copier : {what}', 'Copy: {what}'],
  renewFeed: ['Changer l’adresse', 'Change address'],
  renewSure: ['Changer l’adresse ?', 'Change address?'],
  renewHelp: [
    'L’ancienne adresse ne fonctionnera plus. Vous devrez abonner de nouveau vos agendas.',
    'The old address stops working. You will have to subscribe again in your calendars.',
  ],
  feedRenewed: ['L’adresse a été changée.', 'The address has been changed.'],
};
