// The persons and rooms of a service. A service that lists no person can be performed by every
// person. A service that needs a room and lists no room can use every room.
import { put } from '../../api.js';
import { performersOf } from '../../parts/people.js';

/** @import { Prestation, Ressource } from '../../types.js' */

/**
 * For a person, returns whether the person performs the service. For a room, returns whether the
 * service needs a room and can take place in this room.
 * @param {Prestation} prestation
 * @param {Pick<Ressource, 'id' | 'genre'>} member
 * @param {Ressource[]} team
 */
export const performs = (prestation, { id, genre }, team) =>
  (genre === 'personne' || prestation.lieuRequis) &&
  performersOf(prestation, team, genre).some((one) => one.id === id);

/**
 * For a person, returns the other active persons who perform the service. For a room, returns the
 * other active rooms in which the service can take place.
 * @param {Prestation} prestation
 * @param {Pick<Ressource, 'id' | 'genre'>} member
 * @param {Ressource[]} team
 */
export const othersOf = (prestation, { id, genre }, team) =>
  performersOf(prestation, team, genre).filter((one) => one.id !== id);

/**
 * Returns the service with the member added if `does` is true, or removed if `does` is false.
 * Returns null if nothing changes.
 * @param {Prestation} prestation
 * @param {Ressource} member
 * @param {boolean} does
 * @param {Ressource[]} team
 * @returns {Prestation | null}
 */
export function assigned(prestation, member, does, team) {
  if (does === performs(prestation, member, team)) return null;
  const { ressources, lieuRequis } = prestation;
  const isRoom = member.genre === 'lieu';
  if (does) {
    return {
      ...prestation,
      ressources: [...ressources, member.id],
      lieuRequis: lieuRequis || isRoom,
    };
  }
  const alike = team.filter(({ genre }) => genre === member.genre).map(({ id }) => id);
  const others = othersOf(prestation, member, team).map(({ id }) => id);
  return {
    ...prestation,
    ressources: [...ressources.filter((id) => !alike.includes(id)), ...others],
    lieuRequis: lieuRequis && !(isRoom && !others.length),
  };
}

/** @param {Prestation} prestation */
export const saveService = ({ id, entrepriseId, genresRetires, ...service }) =>
  put(`api/prestations/${id}`, service);
