// Texts of accounts, passwords and the contact form.
import { common, translator } from '../texts.js';

/** @satisfies {import('../texts.js').Texts} */
export const account = {
  email: ['Adresse e-mail', 'E-mail address'],
  password: ['Mot de passe', 'Password'],
  wrongPassword: ['Ce n’est pas votre mot de passe actuel.', 'This is not your current password.'],
  newPasswordHint: ['Au moins 8 caractères.', 'At least 8 characters.'],
  firstName: ['Prénom', 'First name'],
  lastName: ['Nom', 'Last name'],
  phone: ['Téléphone', 'Phone'],
  phoneHint: [
    'Pour que l’établissement puisse vous joindre.',
    'So that the business can reach you.',
  ],

  // Signing in and registering
  goOn: ['Continuer', 'Continue'],
  forgotten: ['Mot de passe oublié ?', 'Forgot your password?'],
  by_code: ['Par code', 'Use a code'],
  by_password: ['Mot de passe', 'Password'],
  staySignedIn: ['Rester connecté', 'Stay signed in'],
  staySignedInHint: [
    'Pendant 30 jours. À éviter sur un ordinateur partagé.',
    'For 30 days. Avoid this on a shared computer.',
  ],
  newHere: [
    'Cette adresse n’a pas encore de compte. Comment vous appelez-vous ?',
    'This address has no account yet. What is your name?',
  ],

  // A code by e-mail
  codeComes: [
    'Nous vous envoyons un code : aucun mot de passe à retenir.',
    'We will send you a code: no password to remember.',
  ],
  getCode: ['Recevoir un code', 'Send me a code'],
  codeSent: [
    'Un code à 6 chiffres a été envoyé à {email}. Il est valable 10 minutes.',
    'We have sent a 6-digit code to {email}. It is valid for 10 minutes.',
  ],
  code: ['Code à 6 chiffres', '6-digit code'],
  codeHint: ['Regardez aussi dans vos courriers indésirables.', 'Check your spam folder too.'],
  otherAddress: ['Changer d’adresse', 'Use another address'],
  nothingCame: ['Je n’ai rien reçu.', 'I haven’t received anything.'],
  codeAgain: ['Renvoyer un code', 'Send again'],
  codeAgainIn: ['Renvoyer un code dans {n} s', 'Send again in {n} s'],
  code_wrong: ['Ce code n’est pas le bon. Vérifiez-le.', 'This is not the right code. Check it.'],
  code_expired: [
    'Ce code a expiré. Demandez-en un nouveau.',
    'This code has expired. Request a new one.',
  ],
  code_used: [
    'Ce code a peut-être déjà servi. Demandez-en un nouveau.',
    'This code may have been used already. Request a new one.',
  ],
  code_locked: [
    'Ce code est bloqué après 5 essais. Demandez-en un nouveau.',
    'This code is locked after 5 attempts. Request a new one.',
  ],
  newEmail: ['Nouvelle adresse e-mail', 'New e-mail address'],
  noAccount: ['Pas encore de compte ?', 'No account yet?'],
  alreadyRegistered: ['Vous avez déjà un compte ?', 'Already have an account?'],
  registered: ['Bienvenue ! Votre compte est créé.', 'Welcome! Your account is ready.'],
  whatFor: ['Que souhaitez-vous faire ?', 'What would you like to do?'],
  forBooking: ['Prendre rendez-vous', 'Book appointments'],
  forOffering: ['Proposer mes services', 'Offer my services'],
  sessionEnded: ['Votre session a expiré', 'Your session has expired'],
  sessionEndedHelp: [
    'Reconnectez-vous pour continuer. Votre saisie est conservée.',
    'Sign in again to continue. What you entered is kept.',
  ],

  // The account
  ownCalendars: ['Mes agendas', 'My calendars'],
  seeCalendars: ['Ouvrir mon agenda', 'Open my calendar'],
  profile: ['Mes informations', 'My details'],
  proven: ['Confirmée', 'Confirmed'],
  unproven: ['Non confirmée', 'Not confirmed'],
  unprovenHelp: [
    'Confirmez que cette adresse est la vôtre : nous vous y envoyons un code.',
    'Confirm that this address is yours: we will send a code to it.',
  ],
  confirmAddress: ['Confirmer mon adresse', 'Confirm my address'],
  addressProven: ['Votre adresse est confirmée.', 'Your address is confirmed.'],
  changeAddress: ['Changer d’adresse e-mail', 'Change e-mail address'],
  changeAddressHelp: [
    'Nous envoyons un code à la nouvelle adresse et un avis à l’ancienne.',
    'We will send a code to the new address and a notice to the old one.',
  ],
  addressChanged: ['Votre adresse est maintenant {email}.', 'Your address is now {email}.'],
  noPassword: [
    'Pas de mot de passe, ou oublié ? Recevez un lien pour en choisir un.',
    'No password, or forgotten it? Get a link to choose one.',
  ],
  devices: ['Appareils connectés', 'Signed-in devices'],
  devicesHelp: [
    'Vous avez utilisé un ordinateur partagé, ou perdu un téléphone ?',
    'Did you use a shared computer, or lose a phone?',
  ],
  signOutEverywhere: ['Se déconnecter partout', 'Sign out everywhere'],
  signedOutEverywhere: ['Tous vos appareils sont déconnectés.', 'All your devices are signed out.'],
  becomeOwner: ['Vous recevez des clients ?', 'Do you run a business?'],
  becomeOwnerHelp: [
    'Ouvrez votre établissement avec ce compte. Vos propres rendez-vous sont conservés.',
    'Open your business with this account. Your own bookings are kept.',
  ],
  openOwn: ['Ouvrir mon établissement', 'Open my business'],
  myData: ['Mes données', 'My data'],
  myDataHelp: [
    'Tout ce que ce site sait de vous, à lire ici ou à télécharger.',
    'Everything this site knows about you, to read here or to download.',
  ],
  readData: ['Lire mes données', 'Read my data'],
  accountSince: ['Compte créé', 'Account created'],
  whatBusinessesNote: [
    'Ce que les établissements ont noté à votre sujet',
    'What businesses have noted about you',
  ],
  mailsToMe: ['E-mails qui vous ont été envoyés', 'E-mails sent to you'],
  downloadData: ['Télécharger mes données', 'Download my data'],
  deleteAccount: ['Supprimer mon compte', 'Delete my account'],
  deleteSure: ['Supprimer votre compte ?', 'Delete your account?'],
  deleteHelp: [
    'Vos nom, adresse e-mail et téléphone seront effacés, et vos rendez-vous à venir annulés.',
    'Your name, e-mail and phone number will be erased, and your upcoming bookings cancelled.',
  ],
  deleteFinal: ['Cette suppression est définitive.', 'This cannot be undone.'],
  ifPassword: ['Si votre compte en a un.', 'If your account has one.'],
  deleteYes: ['Supprimer définitivement', 'Delete permanently'],
  deleteNo: ['Garder mon compte', 'Keep my account'],
  deleted: ['Votre compte est supprimé.', 'Your account has been deleted.'],
  birthDate: ['Date de naissance', 'Date of birth'],
  mailLanguage: ['Langue des e-mails', 'E-mail language'],
  french: ['Français', 'French'],
  english: ['Anglais', 'English'],
  changePassword: ['Changer de mot de passe', 'Change password'],
  currentPassword: ['Mot de passe actuel', 'Current password'],
  newPassword: ['Nouveau mot de passe', 'New password'],
  passwordChanged: ['Votre mot de passe a été modifié.', 'Your password has been changed.'],
  otherSessionsEnd: [
    'Vos autres appareils seront déconnectés.',
    'Your other devices will be signed out.',
  ],

  // A forgotten password
  forgottenTitle: ['Mot de passe oublié', 'Forgotten password'],
  forgottenLead: [
    'Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
    'We will send you a link to choose a new password.',
  ],
  sendLink: ['Envoyer le lien', 'Send link'],
  linkSent: ['Consultez votre messagerie', 'Check your inbox'],
  linkSentHelp: [
    'Si un compte existe avec l’adresse {email}, vous allez recevoir un lien valable une heure.',
    'If an account exists for {email}, you will receive a link. It is valid for one hour.',
  ],
  newPasswordTitle: ['Choisissez un nouveau mot de passe', 'Choose a new password'],
  passwordSet: [
    'Votre mot de passe a été modifié. Connectez-vous.',
    'Your password has been changed. Please sign in.',
  ],
  askNewLink: ['Demander un nouveau lien', 'Request a new link'],

  // The contact form
  contactLead: ['Une question, une remarque ? Écrivez-nous.', 'Questions, feedback? Write to us.'],
  yourName: ['Votre nom', 'Your name'],
  message: ['Message', 'Message'],
  send: ['Envoyer', 'Send'],
  sentTitle: ['Merci, votre message est envoyé', 'Thank you, your message has been sent'],
  sentHelp: ['Nous vous répondrons à l’adresse {email}.', 'We will reply to {email}.'],
};

export const t = translator({ ...common, ...account });
