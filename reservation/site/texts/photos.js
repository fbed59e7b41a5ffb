// Texts of the page of an owner with the photos and the logo.

/** @satisfies {import('../texts.js').Texts} */
export const photos = {
  noPhotosHere: [
    'Cette installation n’accepte pas d’images.',
    'This installation does not accept pictures.',
  ],
  logo: ['Logo', 'Logo'],
  logoHelp: ['Affiché à côté du nom.', 'Shown beside the name.'],
  photos: ['Photos', 'Photos'],
  photosHelp: [
    'La première est la plus visible. Douze au plus.',
    'The first is the most prominent. Twelve at most.',
  ],
  chooseLogo: ['Choisir un logo', 'Choose a logo'],
  addPhotos: ['Ajouter des photos', 'Add photos'],
  photoRules: ['JPEG, PNG ou WebP.', 'JPEG, PNG or WebP.'],
  sendingPhoto: ['Envoi en cours…', 'Uploading…'],
  photoAdded: ['L’image est en ligne.', 'The picture is online.'],
  noPhoto: ['Aucune image pour l’instant.', 'No picture yet.'],
  photoText: ['Description', 'Description'],
  photoTextHint: [
    'Lue aux personnes qui ne voient pas l’image.',
    'Read to people who cannot see the picture.',
  ],
  photoEarlier: ['Avancer', 'Move earlier'],
  removePhoto: ['Supprimer', 'Remove'],
  removePhotoSure: ['Supprimer cette image ?', 'Remove this picture?'],
};
