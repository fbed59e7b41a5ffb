// Which services a person performs, and which need a room. A service that lists no person is
// performed by every person, and a service that lists no room takes place in every room.
import { put } from '../../api.js';
import { performersOf } from '../../parts/people.js';
import { active } from './members.js';

/** @import { Prestation, Ressource } from '../../types.js' */

/**
 * Whether `member` is a person who performs a service, or a room where the service takes place.
 * @param {Prestation} prestation
 * @param {Pick<Ressource, 'id' | 'genre'>} member
 * @param {Ressource[]} team
 */
export const performs = (prestation, { id, genre }, team) =>
  (genre === 'personne' || prestation.lieuRequis) &&
  performersOf(prestation, team, genre).some((one) => one.id === id);

/**
 * Returns the persons who perform a service, or its rooms, without the given person or room.
 * @param {Prestation} prestation
 * @param {Pick<Ressource, 'id' | 'genre'>} member
 * @param {Ressource[]} team
 */
export const othersOf = (prestation, { id, genre }, team) =>
  performersOf(prestation, active(team), genre).filter((one) => one.id !== id);

/**
 * Returns the service with a changed list of performers: adds the member to the list if `does`,
 * otherwise removes the member. Returns null if nothing changes.
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

/** Saves a service, with all properties that a PUT accepts. @param {Prestation} prestation */
export const saveService = ({ id, entrepriseId, ...service }) =>
  put(`api/prestations/${id}`, service);
