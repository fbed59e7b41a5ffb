// /gestion/{id}/horaires?de=: the weekly hours of a business, or of the person or room `de`.
import { get } from '../../api.js';
import { all } from '../../lists/reading.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { Waiting } from '../../parts/page.js';
import { setQuery } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Managed, pathOf } from '../frame.js';
import { active, MemberSelect } from '../team/members.js';
import { Draft } from './draft.js';

/** @import { Opening, Prestation, Ressource, ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */

/**
 * The weekly hours to edit. `own` is the person or room to which the hours belong. Without `own`,
 * the hours belong to the business.
 * @typedef {{ path: string, version: number, own?: Ressource }} Target
 */

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const path = `${pathOf(id)}/semainetype`;
  const de = Number(query.get('de'));
  const ownPath = de ? `api/ressources/${de}/semainetype` : '';
  const week = useLoad(
    () =>
      Promise.all([
        get(path),
        all(`${pathOf(id)}/prestations`),
        ownPath ? get(ownPath) : null,
        ownPath,
      ]),
    [id, ownPath],
  );
  /** @param {Manage} manage */
  const draw = ({ entreprise, team, reload }) => {
    const again = () => {
      week.again();
      reload();
    };
    const own = active(team).find((member) => member.id === de);
    const target = own
      ? { path: ownPath, version: own.version, own }
      : { path, version: entreprise.version };
    const whose = html`
      <${MemberSelect} label=${t('whom')} all=${t('wholeBusiness')} members=${active(team)}
        value=${own?.id ?? ''}
        onChange=${(/** @type {string} */ chosen) => setQuery({ de: chosen })} />`;
    /** @param {[Opening[], Prestation[], { semaine: Opening[] | null } | null, string]} read */
    const drawWeek = ([usual, prestations, ofMember, from]) => {
      if (from !== ownPath) return html`<${Waiting} lines=${6} />`; // the hours of another choice
      // null: the person or room follows the hours of the business
      const saved = own && ofMember ? ofMember.semaine : usual;
      return html`
        <${Draft} key=${`${target.path} ${target.version} ${JSON.stringify(saved)}`}
          ...${{ target, usual, saved, again }}
          prestations=${withRetired(prestations, saved ?? usual)} />`;
    };
    return html`
      ${team.length > 0 && whose}
      <${Loaded} from=${week} lines=${6}>${drawWeek}<//>`;
  };
  return html`<${Managed} id=${id} page="horaires" lead=${t('hoursLead')}>${draw}<//>`;
}

/**
 * Returns the services, and the retired services for which openings are reserved.
 * @param {Prestation[]} prestations
 * @param {Opening[]} openings
 */
function withRetired(prestations, openings) {
  const known = [null, ...prestations.map(({ id }) => id)];
  const reserved = new Set(openings.map(({ prestationId }) => prestationId));
  const retired = [...reserved].filter((id) => !known.includes(id));
  return [...prestations, ...retired.map((id) => ({ id, nom: t('retiredService') }))];
}
