// Page /integrer/{id}: booking in an <iframe> on another site. All steps are in this view. Links
// open a new tab.
import { get, session, setSession } from '../api.js';
import { capital, dateTime, dotted, length, price, today } from '../dates.js';
import { Confirm, withName } from '../parts/booking.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Button, Empty, Icon, Page, say } from '../parts/page.js';
import { choicesOf, PersonSelect } from '../parts/people.js';
import { SignIn } from '../parts/signin.js';
import { bookingOf } from '../parts/times.js';
import { Week } from '../parts/week.js';
import { t } from '../texts/booking.js';
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';
import { businessOf } from './business.js';

/** @import { TimesOf } from '../parts/times.js' */
/** @import { Prestation, Reservation, Ressource, Start, ViewProps } from '../types.js' */
/** @import { Business } from './business.js' */

/** @param {Event} event */
const openTab = ({ target }) =>
  target instanceof Element && target.closest('a')?.setAttribute('target', '_blank');

/** @param {ViewProps} props */
export default function View({ id }) {
  const business = useLoad(() => businessOf(id), [id]);
  // On the document, because dialogs are outside this view.
  useEffect(() => {
    document.addEventListener('click', openTab, true);
    return () => document.removeEventListener('click', openTab, true);
  }, []);
  return html`
    <div class="embedded">
      <${Loaded} from=${business}>${(/** @type {Business} */ value) => html`
        <${Page} title=${value.entreprise.nom} size="wide">
          <${Steps} ...${value} />
          <p class="muted small"><a href="entreprises/${id}">${t('embeddedBy')}</a></p>
        <//>`}<//>
    </div>`;
}

/** @param {Business} props */
function Steps({ entreprise, prestations, team }) {
  const [prestation, setPrestation] = useState(prestations[0]);
  const [wanted, setWanted] = useState(0);
  const [at, setAt] = useState(/** @type {Ressource | undefined} */ (undefined));
  const [start, setStart] = useState(/** @type {Start | null} */ (null));
  const [from, setFrom] = useState(today(entreprise.fuseau));
  const [made, setMade] = useState(/** @type {Reservation | null} */ (null));
  const drafts = useRef({});
  const again = () => {
    drafts.current = {};
    setMade(null);
    setStart(null);
  };
  if (made) return html`<${Made} reservation=${made} onAgain=${again} />`;
  if (!prestation) return html`<${Empty}>${t('noService')}<//>`;
  if (!entreprise.actif) return html`<${Empty}>${t('notTaking')}<//>`;
  const people = choicesOf(prestation, team);
  const person = people.find(({ id }) => id === wanted);
  /** @param {Start} chosen @param {Ressource} [who] */
  const choose = (chosen, who) => {
    setStart(chosen);
    setAt(who);
  };
  const renew = () => get(`api/prestations/${prestation.id}`).then(setPrestation, () => {});
  const shared = { entreprise, prestation, choose, people };
  const who = { person: at, start, drafts: drafts.current };
  return start
    ? html`<${Who} ...${shared} ...${who} onDone=${setMade} onChange=${renew}
        onBack=${() => setStart(null)} />`
    : html`<${Choose} ...${shared} ...${{ prestations, person, from }} onService=${setPrestation}
        onPerson=${setWanted} onWeek=${setFrom} />`;
}

/**
 * @param {TimesOf & { people: Ressource[], prestations: Prestation[],
 *   from: string, onService: (chosen: Prestation) => void, onPerson: (id: number) => void,
 *   onWeek: (first: string) => void }} props
 */
function Choose({ prestations, onService, onPerson, ...of }) {
  const { prestation, people, person } = of;
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
    <${PersonSelect} id="who" label=${t('choosePerson')} ...${{ people, person, onPerson }} />
    <section class="stack">
      <h2 class="label">${t(people.length ? 'chooseTimeThird' : 'chooseTime')}</h2>
      <${Week} ...${of} />
    </section>`;
}

/**
 * @param {TimesOf & { start: Start, drafts: object, onBack: () => void,
 *   onDone: (made: Reservation) => void, onChange: () => void }} props
 */
function Who({ start, drafts, onBack, onDone, onChange, ...of }) {
  const { entreprise, prestation, person } = of;
  const user = session.use()?.user;
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => heading.current?.focus(), [Boolean(user), start.id]);
  // Signing out elsewhere may not end the session of the frame, whose storage can be separate.
  const signOut = () => {
    setSession(null);
    say(t('signedOut'));
  };
  const aside = html`<${Button} class="plain" onClick=${signOut}>${t('notYou')}<//>`;
  const tab = html`
    <p>
      <a href=${bookingOf(entreprise, prestation, start, person?.id)} target="_blank">
        ${t('bookInTab')}
      </a>
    </p>`;
  return html`
    <div class="note good">
      <${Icon} name="calendar" />
      <p>
        <b>${capital(dateTime(start.debut))}</b> · ${dotted(prestation.nom, withName(person))}
      </p>
      <${Button} class="small" onClick=${onBack}>${t('change')}<//>
    </div>
    <section class="stack">
      <h2 ref=${heading} tabindex="-1">${t(user ? 'stepConfirm' : 'stepWho')}</h2>
      ${user && html`<${Confirm} ...${{ ...of, start, user, drafts, aside, onDone, onChange }} />`}
      ${!user && html`<${SignIn} named />${tab}`}
    </section>`;
}

/** @param {{ reservation: Reservation, onAgain: () => void }} props */
function Made({ reservation: { id, statut, debut, prestation, ressource }, onAgain }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => heading.current?.focus(), []);
  const asked = statut === 'demandee';
  return html`
    <section class="card stack">
      <h2 ref=${heading} tabindex="-1">${t(asked ? 'askedTitle' : 'bookedTitle')}</h2>
      <p><b>${capital(dateTime(debut))}</b> · ${dotted(prestation.nom, withName(ressource))}</p>
      <p class="muted">${t(asked ? 'askedLead' : 'bookedLead')}</p>
      <div class="actions">
        <a class="button main" href="reservations/${id}" target="_blank">${t('seeBooking')}</a>
        <${Button} onClick=${onAgain}>${t('bookAnother')}<//>
      </div>
    </section>`;
}
