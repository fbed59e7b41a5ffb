// The window of a block of the calendar: one visit with all that can be done to it, or the
// people of a course, each of whom opens theirs.
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { get } from '../../api.js';
import { capital, dateTime } from '../../dates.js';
import { Dialog } from '../../parts/dialog.js';
import { Icon } from '../../parts/page.js';
import { Status } from '../../parts/status.js';
import { t } from '../../texts.js';
import { nameOf } from './reading.js';
import { Visit } from './visit.js';

/** `free` places can still be had at that time: `onAdd(visit)` books them. */
export function Visits({ visits, free, entreprise, onClose, onDone, onAdd }) {
  const [chosen, choose] = useState(visits.length === 1 ? visits[0] : null);
  const [first] = visits;
  const again = async () => choose(await get(`api/reservations/${chosen.id}`));
  const title = chosen ? nameOf(chosen.client) : first.prestation.nom;
  const add = free > 0 && html`
    <div><button type="button" onClick=${() => onAdd(first)}><${Icon} name="plus" />${t('addToCourse', { n: free })}</button></div>`;
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      ${chosen
        ? html`<${Visit} key=${`${chosen.id} ${chosen.version}`} of=${chosen} ...${{ entreprise, onDone, onClose }} reload=${again} />`
        : html`
          <p class="muted">${capital(dateTime(first.debut))}</p>
          <ul class="people">
            ${visits.map((one) => html`
              <li key=${one.id}><button type="button" onClick=${() => choose(one)}>
                <b>${nameOf(one.client)}</b>${one.places > 1 && html`<span class="badge">${t('places', { n: one.places })}</span>`}
                <${Status} of=${one.statut} /></button></li>`)}
          </ul>`}
      ${visits.length > 1 && chosen && html`<div><button type="button" class="plain" onClick=${() => choose(null)}>${t('backToCourse')}</button></div>`}
      ${(!chosen || visits.length === 1) && add}
    <//>`;
}
