// Booking requests that the owner has not answered.
import { notLoaded } from '../../api.js';
import { dateTime, dotted } from '../../dates.js';
import { useAction } from '../../parts/load.js';
import { nameOf } from '../../parts/names.js';
import { Button, Icon, say } from '../../parts/page.js';
import { t } from '../../texts/calendar.js';
import { isolated } from '../../texts.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Refused } from './refused.js';

/** @import { OwnedReservation } from '../../types.js' */
/** @typedef {{ onDone: () => void, onOpen: (request: OwnedReservation) => void }} Replies */

/** @param {Replies & { requests: OwnedReservation[] }} props */
export const Pending = ({ requests, ...replies }) =>
  requests.length > 0 &&
  html`
    <section class="card stack pending" aria-labelledby="pending">
      <h2 id="pending" class="with-icon">
        <${Icon} name="bell" />${t('pending', { n: requests.length })}
      </h2>
      <ul class="stack">
        ${requests.map(
          (one) => html`
          <li key=${one.id}><${Request} request=${one} ...${replies} /></li>`,
        )}
      </ul>
    </section>`;

/** @param {Replies & { request: OwnedReservation }} props */
function Request({ request, onDone, onOpen }) {
  const { id, version, prestation, ressource, debut, places, commentaire } = request;
  const who = nameOf(request.client);
  const approving = useAction(async () => {
    const { putOnce } = await import('../../attempts.js').catch(notLoaded);
    await putOnce(`api/reservations/${id}`, { statut: 'confirmee', version });
    say(t('told_confirmee', { who }));
    onDone();
  });
  const what = `${isolated(prestation.nom)}, ${dateTime(debut)}`;
  return html`
    <div class="spread">
      <div class="stack tight">
        <b>${who}</b>
        <span>${dotted(what, ressource?.nom, places > 1 && t('places', { n: places }))}</span>
        ${commentaire && html`<q class="muted said">${commentaire}</q>`}
      </div>
      <div class="row">
        <${Button} icon="check" class="main small" aria-disabled=${approving.busy}
          aria-label=${t('approveOf', { who })} onClick=${() => approving.run()}>${t('approve')}<//>
        <${Button} class="small" aria-label=${t('moreOf', { who })}
          onClick=${() => onOpen(request)}>${t('refuseOrMove')}<//>
      </div>
    </div>
    <${Refused} ...${approving.failed} reload=${onDone} />`;
}
