// Types of the API's records and of view properties. No page loads this file.

/** @import { VNode } from './vendor/htm-3.1.1.js' */

/**
 * @typedef {object} User
 * @property {number} id
 * @property {string} email
 * @property {string} first_name
 * @property {string} last_name
 * @property {'student' | 'company' | 'admin'} role
 */

/**
 * `renewed`: when `token` was issued (ms since 1970). Absent if the session ends with the tab.
 * @typedef {{ token: string, user: User, renewed?: number }} Session
 */

/**
 * @typedef {object} Compte
 * @property {number} id
 * @property {string} email
 * @property {string} nom
 * @property {string} prenom
 * @property {string} telephone
 * @property {string | null} dateNaissance
 * @property {string} ecole
 * @property {string} langue
 * @property {string} role
 * @property {boolean} emailProuve
 */

/**
 * @typedef {object} Entreprise
 * @property {number} id
 * @property {number} proprietaireId
 * @property {string} adresseCourte short path of the business's page
 * @property {string} nom
 * @property {string} description
 * @property {string} adresse
 * @property {string} codePostal
 * @property {string} ville
 * @property {string} telephone
 * @property {string} email
 * @property {string[]} metiers
 * @property {string} fuseau
 * @property {number} delaiReservation in minutes
 * @property {number} horizonJours
 * @property {number} delaiAnnulation in minutes
 * @property {number} rappelHeures
 * @property {boolean} validationManuelle
 * @property {number | null} maxAVenir
 * @property {boolean} actif
 * @property {number} version
 */

/**
 * @typedef {object} Suggestions
 * @property {string[]} metiers
 * @property {string[]} prestations
 * @property {Entreprise[]} entreprises
 */

/**
 * @typedef {object} Prestation
 * @property {number} id
 * @property {number} entrepriseId
 * @property {string} nom
 * @property {string} categorie
 * @property {string} description
 * @property {number} dureeMinutes
 * @property {number} tamponAvant
 * @property {number} tamponApres
 * @property {number | null} intervalleMinutes
 * @property {number} prixCentimes
 * @property {number[]} ressources ids of persons and rooms. If no person is listed, everybody can
 *   perform the service. If no room is listed, the service can take place in every room.
 * @property {Ressource['genre'][]} [genresRetires] the kinds of which only retired ones are listed
 * @property {boolean} lieuRequis
 * @property {boolean} actif
 * @property {number} version
 */

/**
 * A person or a room.
 * @typedef {object} Ressource
 * @property {number} id
 * @property {number} entrepriseId
 * @property {'personne' | 'lieu'} genre
 * @property {string} nom
 * @property {string} description
 * @property {number} ordre
 * @property {boolean} actif
 * @property {number[]} prestations
 * @property {number} version
 * @property {string | null} [compte] account's e-mail address; for managers and that account only
 */

/**
 * A start time of a service. If the time is not free, `motif` is the reason.
 * @typedef {object} Start
 * @property {number} id
 * @property {string} debut
 * @property {string} fin
 * @property {number} placesRestantes
 * @property {string} [motif]
 * @property {number[]} [ressources] ids of the free persons, if the business has several persons
 */

/** @typedef {'id' | 'nom' | 'dureeMinutes' | 'prixCentimes' | 'version'} Sold */
/** @typedef {Pick<Prestation, Sold>} Service */
/** @typedef {Entreprise & { prochainCreneau: Start & { prestation: Service } }} Offer */

/** @typedef {'demandee' | 'confirmee' | 'refusee' | 'annulee' | 'honoree' | 'absente'} Statut */

/**
 * @typedef {object} Client
 * @property {number} id
 * @property {string} nom
 * @property {string} prenom
 * @property {string} email
 * @property {string} telephone
 */

/**
 * @typedef {object} Reservation
 * @property {number} id
 * @property {number} entrepriseId
 * @property {number} prestationId
 * @property {number | null} creneauId
 * @property {number | null} utilisateurId
 * @property {string} debut
 * @property {string} fin
 * @property {number} places
 * @property {number} prixCentimes price of one place at the time of booking
 * @property {Statut} statut
 * @property {string} commentaire
 * @property {number} version
 * @property {{ id: number, nom: string }} entreprise
 * @property {{ id: number, nom: string }} prestation
 * @property {{ id: number, nom: string }} [ressource] the person; missing if the owner works alone
 * @property {{ id: number, nom: string }} [lieu] the room; missing if the booking has no room
 * @property {Client} [client] only for the business
 * @property {boolean} [ferme] true if a closure covers the visit; only if read alone
 */

/** For the business. @typedef {Reservation & { client: Client }} OwnedReservation */

/**
 * An entry of the weekly hours. `jour` is the weekday; 1 is Monday.
 * @typedef {object} Opening
 * @property {number} jour
 * @property {string} debut
 * @property {string} fin
 * @property {number} pasMinutes
 * @property {number} capacite
 * @property {number | null} prestationId
 */

/** @typedef {'fermeture' | 'ouverture' | 'horaires' | 'information'} EventType */

/**
 * @typedef {object} Evenement
 * @property {number} id
 * @property {number} entrepriseId
 * @property {EventType} type
 * @property {string} titre
 * @property {string} description
 * @property {string} debut
 * @property {string} fin
 * @property {number | null} pasMinutes
 * @property {number | null} capacite
 * @property {number | null} ressourceId id of a person or room, or null for the whole business
 * @property {number} version
 */

/**
 * The effects of a calendar change. `creneaux` has the numbers of added, deleted and kept slots.
 * `reservationsTouchees` are the bookings that the change puts outside the opening hours.
 * @typedef {object} Effects
 * @property {{ ajoutes: number, supprimes: number, conserves: number }} creneaux
 * @property {OwnedReservation[]} reservationsTouchees
 */

/** A view's props, from the URL. @typedef {{ id: string, query: URLSearchParams }} ViewProps */
/** @typedef {{ default: (props: ViewProps) => VNode }} View */

/**
 * The result of `useLoad`.
 * @template T
 * @typedef {object} Load
 * @property {T} [value]
 * @property {unknown} [error]
 * @property {boolean} waiting
 * @property {() => Promise<void>} again
 * @property {(value: T) => void} set
 */

export {};
