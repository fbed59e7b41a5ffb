// Texts for the API's error codes. The API sends the values of placeholders such as {max}.
import { common, translator } from '../texts.js';

/** @satisfies {import('../texts.js').Texts} */
export const CODES = {
  // Accounts
  account_disabled: ['Ce compte est désactivé.', 'This account is disabled.'],
  code_invalid: [
    'Ce code est faux ou a expiré. Vérifiez-le ou demandez-en un nouveau.',
    'This code is wrong or has expired. Check the code or request a new one.',
  ],
  email_taken: [
    'Un compte existe déjà avec cette adresse. Connectez-vous ou choisissez une autre adresse.',
    'An account with this address already exists. Sign in or use another address.',
  ],
  invalid_credentials: [
    'L’adresse e-mail ou le mot de passe est incorrect.',
    'The e-mail address or password is incorrect.',
  ],
  address_unproven: [
    'Confirmez d’abord votre adresse e-mail : demandez un code.',
    'Confirm your e-mail address first: request a code.',
  ],
  name_required: ['Indiquez votre nom.', 'Please enter your name.'],
  not_permitted: ['Ce compte n’a pas cette autorisation.', 'This account does not have access.'],
  password_too_common: [
    'Ce mot de passe est trop courant. Choisissez-en un autre.',
    'This password is too common. Choose another one.',
  ],
  password_too_long: ['Ce mot de passe est trop long.', 'This password is too long.'],
  password_too_short: ['Au moins 8 caractères.', 'At least 8 characters.'],
  reset_token_invalid: [
    'Ce lien a déjà servi ou a expiré. Demandez-en un nouveau.',
    'This link has expired or has already been used. Request a new one.',
  ],
  token_expired: ['Votre session a expiré.', 'Your session has expired.'],
  token_invalid: ['Votre session a expiré.', 'Your session has expired.'],
  token_missing: ['Connectez-vous pour continuer.', 'Sign in to continue.'],
  too_many_attempts: ['Trop de tentatives. Réessayez plus tard.', 'Too many attempts. Try later.'],
  too_many_failures: [
    'Trop de mots de passe erronés. Patientez quelques minutes.',
    'Too many wrong passwords. Please wait a few minutes.',
  ],

  // Bookings and calendars
  business_open: [
    'Fermez d’abord vos établissements et annulez leurs rendez-vous à venir.',
    'Close your businesses and cancel their upcoming bookings first.',
  ],
  correction_too_late: [
    'L’état d’un rendez-vous peut être corrigé jusqu’à {max} jours après sa date.',
    'The status of a booking can be corrected up to {max} days after the appointment.',
  ],
  visit_not_begun: ['Le rendez-vous n’a pas encore commencé.', 'The appointment has not begun.'],
  customer_blocked: [
    'Vous ne pouvez réserver dans cet établissement que par téléphone.',
    'You can book at this business by phone only.',
  ],
  customer_has_upcoming: [
    'Annulez d’abord les rendez-vous à venir du client, puis attendez l’envoi de l’annulation.',
    'Cancel the upcoming bookings first, then wait until the cancellation e-mail has been sent.',
  ],
  customer_known: ['Ce client a déjà une fiche.', 'There is a record of this customer already.'],
  deadline_passed: [
    'Le délai est dépassé. Contactez l’établissement.',
    'The deadline has passed. Please contact the business.',
  ],
  different_accounts: [
    'Ces deux clients ont chacun leur compte : leurs fiches restent séparées.',
    'Each of these customers has an account: their records stay separate.',
  ],
  impossible_transition: [
    'Ce rendez-vous ne peut plus être modifié ainsi. Actualisez la page.',
    'This booking can no longer be changed in that way. Refresh the page.',
  ],
  not_movable: ['Ce rendez-vous ne peut plus être déplacé.', 'The booking can no longer be moved.'],
  own_account: [
    'Vous ne pouvez pas désactiver votre propre compte.',
    'You cannot disable your own account.',
  ],
  last_person: [
    'Il faut au moins une personne active. Ajoutez d’abord quelqu’un.',
    'At least one active person is needed. Add somebody first.',
  ],
  last_room: [
    'Une prestation a besoin d’une salle : gardez-en au moins une.',
    'A service needs a room: keep at least one.',
  ],
  too_many_ressources: ['Au plus {max} personnes et salles.', 'At most {max} people and rooms.'],
  places_not_held: [
    'Ce rendez-vous ne correspond pas à l’agenda. Contactez-nous.',
    'This booking does not match the calendar. Please contact us.',
  ],
  slot_taken: ['Cet horaire n’est plus disponible.', 'This time is no longer available.'],
  stale_version: [
    'Ces informations ont été modifiées entre-temps. Actualisez avant de recommencer.',
    'This has changed in the meantime. Refresh before you try again.',
  ],
  calendar_too_large: [
    'Plus de {max} créneaux en tout : allongez les créneaux ou raccourcissez la période ouverte.',
    'More than {max} slots in all: make the slots longer or open fewer days in advance.',
  ],
  too_many_slots: ['Plus de {max} créneaux le {date}.', 'More than {max} slots on {date}.'],
  too_many_upcoming: [
    'Limite de cet établissement atteinte : {max} rendez-vous à venir par client.',
    'Limit reached: {max} upcoming bookings per customer at this business.',
  ],
  too_many_entries: ['Au plus {max} entrées.', 'At most {max} entries.'],

  // General
  calendar_not_ready: [
    'L’agenda est en préparation. Réessayez dans un instant.',
    'The calendar is being prepared. Try again in a moment.',
  ],
  database_unavailable: [
    'Le service est momentanément indisponible. Toute saisie en cours est conservée.',
    'The service is temporarily unavailable. Anything you entered is kept.',
  ],
  mail_not_sent: [
    'Le message n’a pas pu être envoyé. Il est conservé ici : réessayez dans un instant.',
    'The message could not be sent. It is kept here: try again in a moment.',
  ],
  message_being_sent: ['Cet e-mail est en cours d’envoi.', 'This e-mail is already being sent.'],
  no_address: ['Ce client n’a pas d’adresse e-mail.', 'This customer has no e-mail address.'],
  not_found: [
    'Cette page n’existe pas ou n’existe plus.',
    'This page does not exist or no longer exists.',
  ],
  overloaded: [
    'Le service est très sollicité. Réessayez dans un instant.',
    'The service is busy. Try again in a moment.',
  ],

  // Photos
  picture_invalid: ['Choisissez une image JPEG, PNG ou WebP.', 'Choose a JPEG, PNG or WebP file.'],
  picture_too_large: ['Au plus {max} millions de pixels.', 'At most {max} million pixels.'],
  too_many_photos: ['Au plus {max} photos.', 'At most {max} photos.'],

  // Errors of a single field
  account_taken: ['Ce compte est déjà dans l’équipe.', 'This account is already on the team.'],
  address_taken: ['Cette adresse est déjà prise.', 'This address is already taken.'],
  before_start: ['Ne peut pas précéder le début.', 'Must not be before the start.'],
  blank: ['À remplir.', 'Please fill this in.'],
  cannot_perform: [
    'Cette personne ne réalise pas cette prestation.',
    'This person does not perform this service.',
  ],
  contact_email_invalid: ['Par exemple : nom@exemple.fr.', 'For example: name@example.com.'],
  contact_fields_missing: ['Remplissez tous les champs.', 'Please fill in all fields.'],
  credentials_missing: [
    'Saisissez votre adresse e-mail et votre mot de passe.',
    'Enter your e-mail address and password.',
  ],
  date_not_past: ['Cette date est dans le futur.', 'This date is in the future.'],
  field_missing: ['Remplissez tous les champs.', 'Please fill in all fields.'],
  invalid_choice: ['Choisissez une des valeurs proposées.', 'Choose one of the options.'],
  invalid_date: ['Saisissez une date.', 'Enter a date.'],
  invalid_email: ['Par exemple : nom@exemple.fr.', 'For example: name@example.com.'],
  invalid_input: ['Vérifiez les champs signalés.', 'Please check the highlighted fields.'],
  invalid_instant: ['Saisissez une date et une heure.', 'Enter a date and a time.'],
  invalid_short_address: ['Par exemple : salon-alice-lyon.', 'For example: salon-alice-lyon.'],
  invalid_time_of_day: ['Saisissez une heure telle que 09:30.', 'Enter a time such as 09:30.'],
  invalid_time_zone: ['Choisissez un fuseau horaire.', 'Choose a time zone.'],
  longer_than_opening: ['Plus long que la plage.', 'Longer than the time range.'],
  malformed_csv: [
    'À partir d’ici, ce n’est plus un tableau CSV.',
    'From here on, this is not a CSV table.',
  ],
  service_changed: ['La prestation a changé : vérifiez-la.', 'The service has changed: check it.'],
  no_room: ['Ajoutez d’abord une salle.', 'Add a room first.'],
  not_after_start: ['La fin doit être après le début.', 'The end must be after the start.'],
  nul_character: ['Caractère interdit dans ce texte.', 'This text has a forbidden character.'],
  null_not_allowed: ['À remplir.', 'Please fill this in.'],
  only_for_persons: ['Une salle n’a pas de compte.', 'A room has no account.'],
  out_of_range: ['Un nombre entier de {min} à {max}.', 'A whole number from {min} to {max}.'],
  overlap: ['Deux plages du même jour se chevauchent.', 'Two time ranges of a day overlap.'],
  required: ['À remplir.', 'Please fill this in.'],
  too_far_from_start: ['Au plus {max} jours après le début.', 'At most {max} days from the start.'],
  too_long: ['Au plus {max} caractères.', 'At most {max} characters.'],
  too_many_columns: ['Au plus {max} colonnes.', 'At most {max} columns.'],
  too_many_customers: ['Au plus {max} clients.', 'At most {max} customers.'],
  too_many_lines: ['Au plus {max} lignes.', 'At most {max} lines.'],
  unknown_account: ['Adresse inconnue ou non confirmée.', 'Unknown or unconfirmed address.'],
  unknown_customer: [
    'Choisissez une autre fiche de cet établissement.',
    'Choose another customer record of this business.',
  ],
  unknown_ressource: [
    'Cette personne ou cette salle ne fait plus partie de l’équipe.',
    'This person or room is no longer part of the team.',
  ],
  unknown_service: ['Cette prestation n’est plus proposée.', 'This service is no longer offered.'],
  unreachable: [
    'Il faut un numéro de téléphone ou une adresse e-mail.',
    'A phone number or an e-mail address is needed.',
  ],
  wrong_type: ['Cette valeur n’est pas acceptée.', 'This value is not accepted.'],
};

export const t = translator({ ...common, ...CODES });
