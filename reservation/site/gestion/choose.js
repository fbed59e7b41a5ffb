// /gestion: choose a business; who has none opens the first one.
import { Refusal, session } from '../api.js';
import { all } from '../lists.js';
import { placeOf } from '../parts/booking.js';
import { Loaded, Trouble, useLoad } from '../parts/load.js';
import { Button, Icon, Page } from '../parts/page.js';
import { t } from '../texts/gestion.js';
import { html, useState } from '../vendor/htm-3.1.1.js';
import { Start } from './start.js';

/** @import { Entreprise } from '../types.js' */

export default function View() {
  return session.get()?.user.role === 'student'
    ? html`
      <${Page} title=${t('navManage')} size="narrow">
        <${Trouble} error=${new Refusal(403, 'not_permitted')} />
      <//>`
    : html`<${Choose} />`;
}

function Choose() {
  const businesses = useLoad(() => all('api/compte/entreprises'), []);
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
            <h2><a href="gestion/${one.id}/jour">${one.nom}</a></h2>
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
