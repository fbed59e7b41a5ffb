// Types for customers. No page loads this file.

/** @import { Client, Reservation } from '../../types.js' */

/**
 * @typedef {Client & { note: string, bloque: boolean, version: number, aVenir: number,
 *   absences: number, dernierPassage: string | null }} Customer
 */

/** @typedef {Customer & { prochaines: Reservation[], passees: Reservation[] }} Known */
/** @typedef {{ nouveaux: number, modifies: number, inchanges: number }} Counts */

export {};
