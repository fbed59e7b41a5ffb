// Texts of the customers of a business.

/** @satisfies {import('../texts.js').Texts} */
export const customers = {
  customersLead: [
    'Les personnes qui ont pris rendez-vous chez vous, et celles que vous ajoutez.',
    'People who have booked with you, and those you add.',
  ],
  findCustomer: ['Rechercher un client', 'Find a customer'],
  findCustomerHint: ['Nom, téléphone ou e-mail', 'Name, phone or e-mail'],
  addCustomer: ['Ajouter un client', 'Add a customer'],
  importCustomers: ['Importer', 'Import'],
  exportCustomers: ['Exporter', 'Export'],
  noCustomers: [
    'Vos clients apparaissent ici dès leur premier rendez-vous. Vous pouvez aussi en ajouter.',
    'Customers appear here with their first booking. You can also add them yourself.',
  ],
  noSuchCustomer: ['Aucun client ne correspond.', 'No customer matches.'],
  allCustomers: ['Tous les clients', 'All customers'],
  lastVisitLabel: ['Dernière visite', 'Last visit'],
  missedMany: ['Manqués', 'No-shows'],
  onlyClosest: [
    'Seuls les {n} rendez-vous les plus proches sont affichés.',
    'Only the {n} bookings closest to today are shown.',
  ],
  comingCount: ['{n} à venir|{n} à venir', '{n} upcoming|{n} upcoming'],
  missedCount: ['{n} manqué|{n} manqués', '{n} no-show|{n} no-shows'],
  blocked: ['Bloqué', 'Blocked'],
  customerRecord: ['Fiche client', 'Customer record'],
  customerSaved: ['La fiche de {who} est enregistrée.', 'The record of {who} has been saved.'],
  privateNote: ['Note privée', 'Private note'],
  privateNoteHint: [
    'Votre client ne la voit pas sur le site, mais peut la demander (RGPD).',
    'Your customer does not see it on the site, but may ask for it (GDPR).',
  ],
  block: ['Bloquer la réservation en ligne', 'Block online booking'],
  blockHint: [
    'Ce client doit vous appeler pour prendre rendez-vous.',
    'This customer has to call you to book.',
  ],

  // Merging two records of a customer
  merge: ['Fusionner deux fiches', 'Merge two records'],
  mergeHelp: [
    'Choisissez l’autre fiche de la même personne. Ses rendez-vous rejoindront celle-ci.',
    'Choose the other record of the same person. The bookings of that record will move here.',
  ],
  mergeSure: [
    'La fiche « {other} » sera fusionnée avec « {who} », qui garde ses propres informations.',
    'The record “{other}” is merged into “{who}”, which keeps its own details.',
  ],
  mergeYes: ['Fusionner', 'Merge'],

  // Erasing a customer
  eraseCustomer: ['Effacer ce client', 'Erase this customer'],
  eraseSure: ['Effacer {who} ?', 'Erase {who}?'],
  eraseHelp: [
    'Le nom, les coordonnées et la note sont effacés. Les rendez-vous passés restent, sans nom.',
    'The name, contact details and your note are erased. Past bookings remain, without a name.',
  ],
  eraseYes: ['Effacer définitivement', 'Erase permanently'],
  customerErased: ['La fiche de {who} est effacée.', 'The record of {who} has been erased.'],

  // CSV import
  importHelp: [
    'Le fichier est d’abord vérifié : rien n’est enregistré avant votre accord.',
    'The file is checked first: nothing is saved until you agree.',
  ],
  csvFile: ['Fichier CSV', 'CSV file'],
  csvHint: [
    'La première ligne nomme les colonnes : nom, prenom, email, telephone, note.',
    'The first line names the columns: nom, prenom, email, telephone, note.',
  ],
  importFaults: [
    '{n} erreur à corriger dans le fichier :|{n} erreurs à corriger dans le fichier :',
    '{n} error to correct in the file:|{n} errors to correct in the file:',
  ],
  notCsv: [
    'Ce n’est pas un fichier CSV. Dans votre tableur, enregistrez la feuille au format CSV.',
    'This is not a CSV file. Save the sheet as CSV in your spreadsheet program.',
  ],
  csvEmpty: ['Ce fichier est vide.', 'This file is empty.'],
  csvTooLarge: [
    'Ce fichier est trop gros. Divisez-le en plusieurs fichiers.',
    'This file is too large. Split it into several files.',
  ],
  unknownColumn: ['La colonne « {column} » est inconnue.', 'The column “{column}” is unknown.'],
  columnTwice: ['La colonne « {column} » est en double.', 'The column “{column}” appears twice.'],
  columnMissing: ['La colonne « {column} » manque.', 'The column “{column}” is missing.'],
  line: ['ligne {n}', 'line {n}'],
  cellWithoutHeading: [
    'La cellule {column} n’a pas de titre. Mettez entre guillemets un texte avec « ; » ou « , ».',
    'Cell {column} has no heading. Put a text with “;” or “,” in quotation marks.',
  ],
  sharedAddress: [
    'La ligne {line} donne cette adresse à une autre personne. Gardez-la pour une seule.',
    'Line {line} gives this address to another person. Keep it for only one of them.',
  ],
  importWould: [
    'Nouveaux : {nouveaux}. Modifiés : {modifies}. Inchangés : {inchanges}.',
    'New: {nouveaux}. Changed: {modifies}. Unchanged: {inchanges}.',
  ],
  importYes: ['Importer ces clients', 'Import these customers'],
  imported: [
    '{n} client importé.|{n} clients importés.',
    '{n} customer imported.|{n} customers imported.',
  ],
};
