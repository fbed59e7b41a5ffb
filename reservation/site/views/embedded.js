// /integrer/{id}: booking in a frame on another site. This one view does everything; links open a
// new tab. If the browser keeps no storage for frames, the session lasts as long as the page.
import { session } from '../api.js';
import { capital, dateTime, dotted, length, price, today } from '../dates.js';
import { Confirm } from '../parts/booking.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Button, Empty, Icon, Page } from '../parts/page.js';
import { SignIn } from '../parts/signin.js';
import { bookingOf } from '../parts/times.js';
import { Week } from '../parts/week.js';
import { t } from '../texts/booking.js';
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';
import { businessOf } from './business.js';

/** @import { Entreprise, Prestation, Reservation, Start, ViewProps } from '../types.js' */
/** @typedef {{ entreprise: Entreprise, prestations: Prestation[] }} Business */

/** @param {ViewProps} props */
export default function View({ id }) {
  const business = useLoad(() => businessOf(id), [id]);
  /** @param {{ target: Element }} event */
  const openTab = ({ target }) => target.closest('a')?.setAttribute('target', '_blank');
  return html`
    <div class="embedded" onClickCapture=${openTab}>
      <${Loaded} from=${business}>${(/** @type {Business} */ value) => html`
        <${Page} title=${value.entreprise.nom} size="wide">
          <${Steps} ...${value} />
          <p class="muted small"><a href="entreprises/${id}">${t('embeddedBy')}</a></p>
        <//>`}<//>
    </div>`;
}

/** @param {Business} props */
function Steps({ entreprise, prestations }) {
  const [prestation, setPrestation] = useState(prestations[0]);
  const [start, setStart] = useState(/** @type {Start | null} */ (null));
  const [made, setMade] = useState(/** @type {Reservation | null} */ (null));
  const again = () => {
    setMade(null);
    setStart(null);
  };
  if (made) return html`<${Made} reservation=${made} onAgain=${again} />`;
  if (!prestation) return html`<${Empty}>${t('noService')}<//>`;
  if (!entreprise.actif) return html`<${Empty}>${t('notTaking')}<//>`;
  const shared = { entreprise, prestation, choose: setStart };
  return start
    ? html`<${Who} key=${start.id} ...${shared} start=${start} onDone=${setMade}
        onBack=${() => setStart(null)} />`
    : html`<${Choose} ...${shared} prestations=${prestations} onService=${setPrestation} />`;
}

/**
 * @param {Business & { prestation: Prestation, onService: (chosen: Prestation) => void,
 *   choose: (start: Start) => void }} props
 */
function Choose({ entreprise, prestations, prestation, onService, choose }) {
  const [from, setFrom] = useState(today(entreprise.fuseau));
  /** @param {{ target: HTMLSelectElement }} event */
  const change = ({ target }) => onService(prestations[target.selectedIndex]);
  return html`
    <div class="field">
      <label for="service">${t('chooseService')}</label>
      <select id="service" value=${prestation.id} onChange=${change}>
        ${prestations.map(
          ({ id, nom, dureeMinutes, prixCentimes }) => html`
          <option key=${id} value=${id}>
            ${dotted(nom, length(dureeMinutes), price(prixCentimes))}
          </option>`,
        )}
      </select>
    </div>
    <section class="stack">
      <h2 class="label">${t('chooseTime')}</h2>
      <${Week} ...${{ entreprise, prestation, from, choose }} onWeek=${setFrom} />
    </section>`;
}

/**
 * @param {{ entreprise: Entreprise, prestation: Prestation, start: Start, onBack: () => void,
 *   choose: (start: Start) => void, onDone: (made: Reservation) => void }} props
 */
function Who({ entreprise, prestation, start, choose, onBack, onDone }) {
  const user = session.use()?.user;
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => heading.current?.focus(), [Boolean(user)]);
  const tab = html`
    <p>
      <a href=${bookingOf(entreprise, prestation, start)} target="_blank">${t('bookInTab')}</a>
    </p>`;
  return html`
    <div class="note good">
      <${Icon} name="calendar" />
      <p><b>${capital(dateTime(start.debut))}</b> · ${prestation.nom}</p>
      <${Button} class="small" onClick=${onBack}>${t('change')}<//>
    </div>
    <section class="stack">
      <h2 ref=${heading} tabindex="-1">${t(user ? 'stepConfirm' : 'stepWho')}</h2>
      ${user && html`<${Confirm} ...${{ entreprise, prestation, start, choose, user, onDone }} />`}
      ${!user && html`<${SignIn} named />${tab}`}
    </section>`;
}

/** @param {{ reservation: Reservation, onAgain: () => void }} props */
function Made({ reservation: { id, statut, debut, prestation }, onAgain }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => heading.current?.focus(), []);
  const asked = statut === 'demandee';
  return html`
    <section class="card stack">
      <h2 ref=${heading} tabindex="-1">${t(asked ? 'askedTitle' : 'bookedTitle')}</h2>
      <p><b>${capital(dateTime(debut))}</b> · ${prestation.nom}</p>
      <p class="muted">${t(asked ? 'askedLead' : 'bookedLead')}</p>
      <div class="actions">
        <a class="button main" href="reservations/${id}" target="_blank">${t('seeBooking')}</a>
        <${Button} onClick=${onAgain}>${t('bookAnother')}<//>
      </div>
    </section>`;
}
