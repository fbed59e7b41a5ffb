// /gestion: which business; who has none opens the first one, step by step.
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { session } from '../../api.js';
import { Icon, Loaded, Page, Trouble, useLoad } from '../../parts/page.js';
import { placeOf } from '../../parts/summary.js';
import { t } from '../../texts.js';
import '../../texts/gestion.js';
import '../../texts/business.js';
import '../../texts/booking.js';
import { all } from './reading.js';
import { Start } from './start.js';
import './frame.js'; // its style

export default function View() {
  const businesses = useLoad(() => all('api/compte/entreprises'), []);
  const [opening, open] = useState(false);
  if (session().user.role === 'student') {
    return html`<${Page} title=${t('navManage')} size="narrow"><${Trouble} error=${{ status: 403 }} /><//>`;
  }
  return html`
    <${Loaded} from=${businesses}>${(found) => (opening || !found.length
      ? html`<${Start} onBack=${found.length > 0 && (() => open(false))} />`
      : html`
        <${Page} title=${t('yourBusinesses')}>
          <ul class="stack">
            ${found.map((one) => html`
              <li key=${one.id}><article class="card link stack tight">
                <h2><a href="gestion/${one.id}/jour">${one.nom}</a></h2>
                <p class="with-icon muted"><${Icon} name="pin" />${placeOf(one)}</p>
                ${!one.actif && html`<p><span class="badge warn">${t('takesNoBookings')}</span></p>`}
              </article></li>`)}
          </ul>
          <div><button type="button" onClick=${() => open(true)}><${Icon} name="plus" />${t('openBusiness')}</button></div>
        <//>`)}<//>`;
}
