// The records of the API that only owners see. Only comments: no page loads this file.

/**
 * @typedef {object} Email
 * @property {number} id
 * @property {Genre} genre
 * @property {string} destinataire
 * @property {'attente' | 'envoi' | 'envoye' | 'abandonne' | 'retenu'} statut
 * @property {string} sujet
 * @property {string} corps
 * @property {number} essais
 * @property {string | null} derniereErreur
 * @property {string | null} envoyeLe
 * @property {string} creeLe
 */

/**
 * @typedef {'a_valider' | 'adresse_changee' | 'annulation' | 'annulee' | 'annulee_entreprise'
 *   | 'approuvee' | 'code' | 'confirmee' | 'demandee' | 'deplacee' | 'deplacement' | 'fermeture'
 *   | 'mot_de_passe' | 'nouvelle' | 'rappel' | 'refusee'} Genre
 */

/**
 * The figures of one week.
 * @typedef {object} Occupation
 * @property {string} semaine
 * @property {string} du
 * @property {number} capaciteMinutes
 * @property {number} prisesMinutes
 * @property {number} reservations
 * @property {number} honorees
 * @property {number} absentes
 * @property {number} annulees
 */

export {};
