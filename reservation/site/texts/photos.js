// Texts of the owner's pages about photos, the logo, the short address and its QR code.

/** @satisfies {import('../texts.js').Texts} */
export const photos = {
  shortAddress: ['Adresse courte', 'Short address'],
  changePageAddress: ['Changer l’adresse de la page', 'Change the page address'],
  formerAddressHelp: [
    'L’ancienne adresse continuera de mener à votre page.',
    'The old address will still lead to your page.',
  ],
  qrCode: ['QR code de votre page', 'QR code of your page'],
  qrCodeHelp: [
    'À imprimer sur vos cartes, vos affiches ou votre vitrine.',
    'Print it on your cards, posters or shop window.',
  ],
  downloadQrCode: ['Télécharger le QR code', 'Download QR code'],

  noPhotosHere: ['Ce site n’accepte pas d’images.', 'This site does not accept pictures.'],
  logo: ['Logo', 'Logo'],
  logoHelp: ['Affiché sous le nom.', 'Shown below the name.'],
  photos: ['Photos', 'Photos'],
  photosHelp: [
    'La première sert d’aperçu quand on partage votre page. 12 photos au maximum.',
    'The first is the preview when your page is shared. 12 photos at most.',
  ],
  chooseLogo: ['Choisir un logo', 'Choose a logo'],
  addPhotos: ['Ajouter des photos', 'Add photos'],
  photoRules: ['JPEG, PNG ou WebP.', 'JPEG, PNG or WebP.'],
  sendingPhoto: ['Envoi en cours…', 'Uploading…'],
  photoAdded: ['L’image est en ligne.', 'The picture is online.'],
  noPhoto: ['Aucune image pour l’instant.', 'No picture yet.'],
  photoTextHint: [
    'Lue aux personnes qui ne voient pas l’image.',
    'Read to people who cannot see the picture.',
  ],
  photoEarlier: ['Déplacer vers le début', 'Move earlier'],
  removePhoto: ['Supprimer', 'Delete'],
  removePhotoSure: ['Supprimer cette image ?', 'Delete this picture?'],
};
