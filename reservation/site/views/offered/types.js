// Types of the records on the page of a business. No page loads this file.

/**
 * `adresse` is the path of the photo's files, with the placeholder {taille} for the size in pixels.
 * @typedef {object} Photo
 * @property {number} id
 * @property {'photo' | 'logo'} genre
 * @property {string} texte
 * @property {number} ordre
 * @property {string} adresse
 * @property {number} largeur
 * @property {number} hauteur
 * @property {number} version
 */

/** @typedef {{ jour: string, libres: number }} FreeDay */

export {};
