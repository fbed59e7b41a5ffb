// What a plan does before it is saved: which visits it leaves where the business is shut.
import { html } from '../../vendor/htm-3.1.1.js';
import { capital, dateTime } from '../../dates.js';
import { Icon } from '../../parts/page.js';
import { t } from '../../texts.js';
import { nameOf } from './reading.js';

export function Stranded({ visits, told }) {
  if (!visits.length) return html`<div class="note good"><${Icon} name="check" /><p>${t('strandsNobody')}</p></div>`;
  return html`
    <div class="note warn stack">
      <p><b>${t('strands', { n: visits.length })}</b> ${t(told ? 'strandsTold' : 'strandsKept')}</p>
      <ul class="stack tight stranded">
        ${visits.map((one) => html`<li key=${one.id}><b>${nameOf(one.client)}</b>, ${one.prestation.nom}, ${capital(dateTime(one.debut))}
          ${one.client.telephone && html` · <a href="tel:${one.client.telephone.replace(/[^+\d]/g, '')}">${one.client.telephone}</a>`}</li>`)}
      </ul>
    </div>`;
}
