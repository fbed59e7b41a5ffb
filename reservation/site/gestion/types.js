// Types for API records that customers cannot read. No page loads this file.

/** @import { Client } from '../types.js' */

/**
 * @typedef {object} Email
 * @property {number} id
 * @property {Genre} genre
 * @property {string} destinataire
 * @property {Client} [client] set if the message to this customer had no address
 * @property {number | null} reservationId
 * @property {string} adresseRenvoi the address to which "Send again" sends the message, or ''
 * @property {'attente' | 'envoi' | 'envoye' | 'abandonne' | 'retenu'} statut
 * @property {string} sujet
 * @property {string} corps
 * @property {number} essais
 * @property {string | null} derniereErreur
 * @property {string | null} prochainEssai
 * @property {string | null} envoyeLe
 * @property {string} creeLe
 */

/**
 * The kind of a message.
 * @typedef {'a_valider' | 'adresse_changee' | 'annulation' | 'annulee' | 'annulee_entreprise'
 *   | 'approuvee' | 'code' | 'confirmee' | 'demandee' | 'deplacee' | 'deplacement' | 'fermeture'
 *   | 'maintenue' | 'mot_de_passe' | 'nouvelle' | 'rappel' | 'refusee'} Genre
 */

/**
 * Numbers of bookings, and amounts at the prices at the time of booking.
 * @typedef {object} Totals
 * @property {number} reservations
 * @property {number} honorees
 * @property {number} absentes
 * @property {number} annulees
 * @property {number} reserveCentimes
 * @property {number} honoreCentimes
 */

/** The figures of one service or person. @typedef {Totals & { id: number, nom: string }} Share */

/**
 * The figures of a day, a week or a month.
 * @typedef {Totals & { du: string, au: string, capaciteMinutes: number,
 *   prisesMinutes: number }} Interval
 */

/** @typedef {Interval & { clients: number, clientsRevenus: number }} Whole */

/**
 * @typedef {object} Statistics
 * @property {Whole} periode
 * @property {Whole} precedente
 * @property {Interval[]} intervalles
 * @property {Share[]} prestations
 * @property {Share[]} ressources
 */

export {};
