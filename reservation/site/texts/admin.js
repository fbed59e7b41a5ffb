// Texts of the operator's console.
import { common, translator } from '../texts.js';

/** @satisfies {import('../texts.js').Texts} */
const admin = {
  businesses: ['Établissements', 'Businesses'],
  accounts: ['Comptes', 'Accounts'],
  messages: ['Messages', 'Messages'],
  installation: ['Installation', 'Installation'],
  name: ['Nom', 'Name'],
  town: ['Ville', 'City'],
  contact: ['Contact', 'Contact'],
  state: ['État', 'Status'],
  role: ['Profil', 'Role'],
  since: ['Créé le', 'Created'],
  actions: ['Actions', 'Actions'],
  open: ['Ouvert', 'Open'],
  notOpen: ['Fermé à la réservation', 'Closed for booking'],
  noBusinessYet: ['Aucun établissement pour l’instant.', 'No businesses yet.'],
  findAccount: ['Rechercher un compte', 'Find an account'],
  findAccountHint: [
    'Début de l’adresse ou du nom de famille',
    'Start of the address or of the last name',
  ],
  noSuchAccount: ['Aucun compte ne correspond.', 'No matching accounts.'],
  role_student: ['Client', 'Customer'],
  role_company: ['Professionnel', 'Business'],
  role_admin: ['Administrateur', 'Administrator'],
  active: ['Actif', 'Active'],
  disabled: ['Désactivé', 'Disabled'],
  addressUnproven: ['Adresse non confirmée', 'Address not confirmed'],
  prove: ['Confirmer l’adresse', 'Confirm address'],
  reset: ['Envoyer un lien de réinitialisation', 'Send password reset link'],
  disable: ['Désactiver', 'Disable'],
  disableSure: ['Désactiver le compte de {name} ?', 'Disable the account of {name}?'],
  disableHelp: [
    'Cette personne est déconnectée et ne peut plus se connecter. Vous pourrez la réactiver.',
    'This person is signed out and can no longer sign in. You can enable the account again.',
  ],
  disableOwner: [
    'Ses établissements restent ouverts : fermez-les si besoin depuis la page « Établissement ».',
    'Their businesses stay open. If necessary, close them on the page “Business details”.',
  ],
  enable: ['Réactiver', 'Enable'],
  resetSent: [
    'Un lien pour choisir un mot de passe a été envoyé à {email}.',
    'A link to choose a password has been sent to {email}.',
  ],
  version: ['Version', 'Version'],
  database: ['Base de données', 'Database'],
  schemaVersion: ['Version du schéma', 'Schema version'],
  queued: ['Messages en attente', 'Queued messages'],
  onHold: ['{n} suspendu|{n} suspendus', '{n} on hold|{n} on hold'],
  failed: ['{n} échoué|{n} échoués', '{n} failed|{n} failed'],
  lastBackup: ['Dernière sauvegarde', 'Last backup'],
  never: ['Jamais', 'Never'],
  late: [
    'Le plus ancien message attend depuis {span} : l’envoi est-il arrêté ?',
    'The oldest message has waited for {span}: has the mail worker stopped?',
  ],
  noBackup: [
    'Aucune sauvegarde : lancez « reservation backup ».',
    'No backup yet: run “reservation backup”.',
  ],
  oldBackup: [
    'La dernière sauvegarde a plus d’une semaine.',
    'The last backup is more than a week old.',
  ],
  door_login_form: [
    '/login_form répond avec le mot de passe reçu.',
    '/login_form answers with the password that was sent.',
  ],
  door_teste: [
    '/teste montre les données et l’empreinte du mot de passe de tout compte.',
    '/teste shows the data and the password hash of any account.',
  ],
  door_register_admin: [
    'N’importe qui peut créer un compte d’administrateur.',
    'Anybody can create an administrator account.',
  ],
  door_register_form: [
    '/register_form accepte les mots de passe de moins de 8 caractères.',
    '/register_form accepts passwords under 8 characters.',
  ],
  door_common_passwords: [
    'Les mots de passe les plus courants sont acceptés.',
    'The most common passwords are accepted.',
  ],
  door_unproven_addresses: [
    'Sans adresse confirmée, un compte peut réserver et un établissement envoyer des e-mails.',
    'Without a confirmed address, accounts can book and businesses can send e-mail.',
  ],
  door_no_limits: [
    'Inscriptions, codes, messages de contact et messages des établissements ne sont pas limités.',
    'Registrations, codes, contact messages and messages of businesses are not limited.',
  ],
  door_mail_kept: [
    'Les e-mails restent dans un dossier et ne partent pas.',
    'E-mail is kept in a folder and never sent.',
  ],
  openDoors: ['Réglages peu sûrs', 'Unsafe settings'],
  settings: ['Réglages', 'Settings'],
  settingsLead: [
    'Lus au démarrage ; les secrets sont masqués.',
    'Read at start-up; secrets are hidden.',
  ],
};

export const t = translator({ ...common, ...admin });
