// Types for customers. No page loads this file.

/** @import { Reservation } from '../../types.js' */

/**
 * @typedef {object} Customer
 * @property {number} id
 * @property {string} nom
 * @property {string} prenom
 * @property {string} email
 * @property {string} telephone
 * @property {string} note
 * @property {boolean} bloque
 * @property {number} version
 * @property {number} aVenir
 * @property {number} absences
 * @property {string | null} dernierPassage
 */

/** @typedef {Customer & { prochaines: Reservation[], passees: Reservation[] }} Known */
/** @typedef {{ nouveaux: number, modifies: number, inchanges: number }} Counts */

export {};
