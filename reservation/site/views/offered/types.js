// The records of the page of a business. This file has only types, so no page loads it.

/**
 * `adresse` is the path of the photo's files; {taille} stands for the size in pixels.
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
