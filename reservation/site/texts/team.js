// Texts of the team: persons and rooms, what they do, and their hours.

/** @satisfies {import('../texts.js').Texts} */
export const team = {
  teamLead: [
    'Qui travaille avec vous, et vos salles. Chaque personne et chaque salle a son agenda.',
    'Who works with you, and your rooms. Each person and each room has a calendar.',
  ],
  aloneLead: [
    'Votre collègue aura son agenda, et vos clients choisiront avec qui ils prennent rendez-vous.',
    'Your colleague gets a calendar, and customers choose whom they book with.',
  ],
  addMember: ['Ajouter une personne ou une salle', 'Add a person or a room'],
  kind: ['Personne ou salle', 'Person or room'],
  kind_personne: ['Personne', 'Person'],
  kind_lieu: ['Salle', 'Room'],
  memberName_personne: ['Prénom', 'First name'],
  memberName_lieu: ['Nom de la salle', 'Name of the room'],
  memberNameHint: ['Tel que vos clients le verront.', 'As customers will see it.'],
  about_personne: ['Spécialités', 'Specialities'],
  about_lieu: ['Description', 'Description'],
  aboutHint: ['Par exemple « Coloriste, cheveux bouclés ».', 'Such as “Colourist, curly hair”.'],
  does_personne: ['Prestations réalisées', 'Services performed'],
  does_lieu: ['Prestations qui ont besoin de cette salle', 'Services that need this room'],
  doesNone: ['Aucune prestation', 'No services'],
  nobodyLeft: [
    'Quelqu’un doit réaliser « {name} » : ajoutez d’abord une autre personne.',
    'Somebody must perform “{name}”: add another person to it first.',
  ],
  theHours: ['Horaires', 'Hours'],
  hours_shared: ['Ceux de l’établissement', 'Same as the business'],
  hours_own: ['Ses propres horaires', 'Own hours'],
  ownHoursHint: [
    'Vous les réglez à l’écran suivant, à partir des horaires de l’établissement.',
    'Set them on the next screen, starting from the hours of the business.',
  ],
  accountOf: ['Adresse e-mail de son compte', 'E-mail address of their account'],
  accountHint: [
    'Cette personne verra et tiendra son propre agenda.',
    'This person can then see and run their own calendar.',
  ],
  memberSaved: ['{name} : c’est enregistré.', '{name} is saved.'],
  moveUp: ['Monter {name}', 'Move {name} up'],
  hoursOf: ['Horaires de {name}', 'Hours of {name}'],
  retireMember: ['Retirer {name} de l’équipe', 'Remove {name} from the team'],
  movesTo: ['Ses rendez-vous à venir', 'Upcoming bookings'],
  movesNowhere: ['Restent où ils sont', 'Stay where they are'],
  movesTowards: ['Passent à {name} si l’horaire est libre', 'Move to {name} where free'],
  movedBookings: [
    '{n} rendez-vous est déplacé.|{n} rendez-vous sont déplacés.',
    '{n} booking moves.|{n} bookings move.',
  ],
  orphans_personne: ['Plus personne pour réaliser : {names}.', 'Nobody left to perform: {names}.'],
  orphans_lieu: ['Plus aucune salle pour : {names}.', 'No room left for: {names}.'],
  keptBookings: [
    'Ils restent dans l’agenda : déplacez-les ou annulez-les ensuite.',
    'They stay in the calendar: move or cancel them afterwards.',
  ],
  absenceTitle: ['Absence', 'Away'],
  absenceHelp: [
    'Nous cherchons qui peut recevoir ses clients, ou à quelle autre heure. Rien ne change encore.',
    'We look for colleagues or other times for the customers. Nothing changes yet.',
  ],
  absenceSee: ['Voir les rendez-vous', 'See the bookings'],
  absenceNobody: ['Aucun rendez-vous à déplacer.', 'No bookings to move.'],
  absenceProposals: [
    '{n} rendez-vous concerné|{n} rendez-vous concernés',
    '{n} booking affected|{n} bookings affected',
  ],
  absenceTick: [
    'Décochez ceux qui ne doivent pas bouger.',
    'Untick those that should stay where they are.',
  ],
  absenceMost: [
    '{n} rendez-vous au plus sont déplacés à la fois : recommencez ensuite pour les autres.',
    'At most {n} bookings are moved at a time: repeat this for the rest.',
  ],
  absenceMove: ['→ {when}, {who}', '→ {when}, {who}'],
  sameTime: ['même heure ({time})', 'same time ({time})'],
  absenceNowhere: [
    'Aucun autre horaire trouvé : appelez ce client.',
    'No other time found: call this customer.',
  ],
  absenceShut: [
    'Fermer l’agenda de {name} ces jours-là',
    'Close the calendar of {name} on these days',
  ],
  absenceApply: [
    'Déplacer {n} rendez-vous|Déplacer {n} rendez-vous',
    'Move {n} booking|Move {n} bookings',
  ],
  absenceApplyNone: ['Enregistrer l’absence', 'Save the absence'],
  absenceDone: [
    '{n} rendez-vous déplacé.|{n} rendez-vous déplacés.',
    '{n} booking moved.|{n} bookings moved.',
  ],
  absenceTold: [
    '{n} client prévenu par e-mail.|{n} clients prévenus par e-mail.',
    '{n} customer notified by e-mail.|{n} customers notified by e-mail.',
  ],
  absenceUntold: [
    'Ces clients n’ont pas d’adresse e-mail : prévenez-les du changement.',
    'These customers have no e-mail address: let them know about the change.',
  ],
  absenceGone: [
    'Ce rendez-vous n’est plus dans cet agenda.',
    'This booking is no longer in this calendar.',
  ],
  absenceUnchanged: ['Rien n’a été modifié.', 'Nothing has changed.'],
  absenceDoneNone: ['L’absence est enregistrée.', 'The absence is saved.'],
  absenceKept: [
    'Ces clients gardent leur rendez-vous : appelez-les, ou déplacez-le dans l’agenda.',
    'These customers keep their bookings: call them, or move the bookings in the calendar.',
  ],
  memberRetired: ['{name} ne prend plus de rendez-vous.', '{name} takes no more bookings.'],
  retiredMembers: ['Anciens membres', 'Former members'],
  restore: ['Réactiver', 'Restore'],
  restoreOf: ['Réactiver {name}', 'Restore {name}'],

  // Persons and rooms on the pages of services and hours
  whom: ['Qui ?', 'Who?'],
  wholeBusiness: ['Tout l’établissement', 'The whole business'],
  nobodyAnyMore: ['Plus personne', 'Nobody'],
  performedBy: ['Réalisée par', 'Performed by'],
  performedByHint: ['Aucun choix : toute l’équipe.', 'None selected: the whole team.'],
  needsRoom: ['Nécessite une salle', 'Needs a room'],
  inRooms: ['Salles possibles', 'Possible rooms'],
  inRoomsHint: ['Aucun choix : n’importe quelle salle.', 'None selected: any room.'],
  followsBusiness: [
    '{name} suit les horaires de l’établissement.',
    '{name} follows the hours of the business.',
  ],
  setOwnHours: ['Définir ses propres horaires', 'Set own hours'],
  followBusiness: ['Suivre les horaires de l’établissement', 'Follow the hours of the business'],
};
