// What awaits the owner's word, before all else: approved by a click, refused with a sentence.
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { put } from '../../api.js';
import { dateTime } from '../../dates.js';
import { Icon, say } from '../../parts/page.js';
import { t } from '../../texts.js';
import { nameOf } from './reading.js';
import { Refused } from './refused.js';

export function Pending({ visits, onDone, onOpen }) {
  if (!visits.length) return null;
  return html`
    <section class="card stack pending" aria-labelledby="pending">
      <h2 id="pending" class="with-icon"><${Icon} name="bell" />${t('pending', { n: visits.length })}</h2>
      <ul class="stack">${visits.map((one) => html`<li key=${one.id}><${Asked} of=${one} onDone=${onDone} onOpen=${onOpen} /></li>`)}</ul>
    </section>`;
}

function Asked({ of, onDone, onOpen }) {
  const [busy, wait] = useState(false);
  const [error, tell] = useState(null);
  const who = nameOf(of.client);
  async function approve() {
    if (busy) return;
    wait(true);
    tell(null);
    try {
      await put(`api/reservations/${of.id}`, { statut: 'confirmee', version: of.version });
      say(t('approved', { who }));
      onDone();
    } catch (refused) {
      tell(refused);
    } finally {
      wait(false);
    }
  }
  return html`
    <div class="spread">
      <div class="stack tight">
        <b>${who}</b>
        <span>${of.prestation.nom}, ${dateTime(of.debut)}${of.places > 1 && ` · ${t('places', { n: of.places })}`}</span>
        ${of.commentaire && html`<q class="muted said">${of.commentaire}</q>`}
      </div>
      <div class="row">
        <button type="button" class="main small" aria-disabled=${busy} aria-label=${t('approveOf', { who })} onClick=${approve}><${Icon} name="check" />${t('approve')}</button>
        <button type="button" class="small" aria-label=${t('moreOf', { who })} onClick=${() => onOpen(of)}>${t('refuseOrMove')}</button>
      </div>
    </div>
    ${error && html`<${Refused} error=${error} again=${approve} reload=${onDone} />`}`;
}
