// Texts of accounts, passwords and the contact form.
import { common, translator } from '../texts.js';

/** @satisfies {import('../texts.js').Texts} */
export const account = {
  email: ['Adresse e-mail', 'E-mail address'],
  password: ['Mot de passe', 'Password'],
  newPasswordHint: ['Au moins 8 caractères.', 'At least 8 characters.'],
  firstName: ['Prénom', 'First name'],
  lastName: ['Nom', 'Last name'],
  phone: ['Téléphone', 'Phone'],
  phoneHint: [
    'Pour que l’établissement puisse vous joindre.',
    'So that the business can reach you.',
  ],

  // Signing in and registering
  forgotten: ['Mot de passe oublié ?', 'Forgot your password?'],
  haveAccount: ['J’ai déjà un compte', 'I have an account'],
  newHere: ['Je n’ai pas de compte', 'I’m new here'],
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
  accountTitle: ['Mon compte', 'My account'],
  profile: ['Mes informations', 'My details'],
  birthDate: ['Date de naissance', 'Date of birth'],
  school: ['École', 'School'],
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
    'Nous vous enverrons un lien pour en choisir un nouveau.',
    'We will send you a link to choose a new one.',
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
  contactTitle: ['Nous contacter', 'Contact us'],
  contactLead: ['Une question, une remarque ? Écrivez-nous.', 'Questions, feedback? Write to us.'],
  yourName: ['Votre nom', 'Your name'],
  message: ['Message', 'Message'],
  send: ['Envoyer', 'Send'],
  sentTitle: ['Merci, votre message est envoyé', 'Thank you, your message has been sent'],
  sentHelp: ['Nous vous répondrons à l’adresse {email}.', 'We will reply to {email}.'],
};

export const t = translator({ ...common, ...account });
