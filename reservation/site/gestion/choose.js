// /gestion: the businesses of the user. A user without a business sees the form that adds a
// business.
import { get } from '../api.js';
import { placeOf } from '../formats.js';
import { all } from '../lists/reading.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Button, Icon, Page } from '../parts/page.js';
import { t } from '../texts/gestion.js';
import { html, useState } from '../vendor/htm-3.1.1.js';
import { pathOf } from './frame.js';
import { Start } from './start.js';

/** @import { Entreprise, Ressource } from '../types.js' */

/**
 * Returns the businesses that the user owns, then the businesses in which the user runs the
 * calendar of a person.
 * @returns {Promise<Entreprise[]>}
 */
async function businessesOfUser() {
  /** @type {[Entreprise[], Ressource[]]} */
  const [owned, own] = await Promise.all([
    all('api/compte/entreprises'),
    all('api/compte/ressources'),
  ]);
  const known = new Set(owned.map(({ id }) => id));
  const others = new Set(
    own.map(({ entrepriseId }) => entrepriseId).filter((id) => !known.has(id)),
  );
  return [...owned, ...(await Promise.all([...others].map((id) => get(pathOf(id)))))];
}

export default function View() {
  const businesses = useLoad(businessesOfUser, []);
  const [adding, setAdding] = useState(false);
  return html`
    <${Loaded} from=${businesses} whole>${(/** @type {Entreprise[]} */ found) =>
      adding || !found.length
        ? html`<${Start} onBack=${found.length > 0 && (() => setAdding(false))} />`
        : html`<${List} entreprises=${found} onAdd=${() => setAdding(true)} />`}<//>`;
}

/** @param {{ entreprises: Entreprise[], onAdd: () => void }} props */
const List = ({ entreprises, onAdd }) => html`
  <${Page} title=${t('yourBusinesses')}>
    <ul class="stack">
      ${entreprises.map(
        (one) => html`
        <li key=${one.id}>
          <article class="card link stack tight">
            <h2><a href="gestion/${one.id}/agenda">${one.nom}</a></h2>
            <p class="with-icon muted"><${Icon} name="pin" />${placeOf(one)}</p>
            ${!one.actif && html`<p><span class="badge warn">${t('takesNoBookings')}</span></p>`}
          </article>
        </li>`,
      )}
    </ul>
    <div>
      <${Button} icon="plus" onClick=${onAdd}>${t('openBusiness')}<//>
    </div>
  <//>`;
