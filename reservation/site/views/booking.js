// Page /reservations/{id}?nouvelle=&deplacer=&semaine=: a booking, for its customer or business.
import { cache, get, known, notLoaded, remove, session } from '../api.js';
import { dateTime } from '../dates.js';
import { explain, refusalOf } from '../errors.js';
import { placeOf } from '../formats.js';
import { deadlineOf, Fact, Status, Summary } from '../parts/booking.js';
import { Question } from '../parts/dialog.js';
import { saveFrom } from '../parts/download.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Button, focusOn, Note, Page, say } from '../parts/page.js';
import { address, setQuery } from '../router.js';
import { OPEN } from '../states.js';
import { t } from '../texts/booking.js';
import { html, useState } from '../vendor/htm-3.1.1.js';
import { Move } from './move.js';

/** @import { Entreprise, Reservation, ViewProps } from '../types.js' */
/** @typedef {{ reservation: Reservation, entreprise: Entreprise }} Booked */
/** @typedef {Booked & { show: (changed: Reservation) => void }} Shown */

/**
 * Reads a booking and its business. `show` replaces the booking. The first time, a new booking
 * comes from the cache: book.js has put it there.
 * @param {string} path of the booking in the API
 */
export function useBooked(path) {
  const booked = useLoad(
    /** @returns {Promise<Booked>} */
    async () => {
      const reservation = cache.get(path) ?? (await get(path));
      cache.delete(path);
      const entreprise = await known(`api/entreprises/${reservation.entrepriseId}`);
      return { reservation, entreprise };
    },
    [path],
  );
  /** @param {Reservation} reservation */
  const show = (reservation) => booked.value && booked.set({ ...booked.value, reservation });
  return { booked, show };
}

const GOOGLE = 'https://calendar.google.com/calendar/render';
const OUTLOOK = 'https://outlook.live.com/calendar/0/action/compose';

/** @param {Reservation} reservation */
const isMine = (reservation) => reservation.utilisateurId === session.get()?.user.id;

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const { booked, show } = useBooked(`api/reservations/${id}`);
  return html`
    <${Loaded} from=${booked} whole>${(/** @type {Booked} */ value) =>
      value.reservation.client && !isMine(value.reservation)
        ? html`<${OfBusiness} ...${value} again=${booked.again} />`
        : html`<${OfCustomer} ...${value} show=${show} query=${query} />`}<//>`;
}

/** The owner's view, loaded on demand. @param {Booked & { again: () => void }} props */
function OfBusiness(props) {
  const loaded = useLoad(() => import('../gestion/calendar/alone.js').catch(notLoaded), []);
  return html`
    <${Loaded} from=${loaded}>${(/** @type {NonNullable<typeof loaded.value>} */ { Alone }) =>
      html`<${Alone} ...${props} />`}<//>`;
}

/** @param {Shown & { query: URLSearchParams }} props */
export function OfCustomer({ reservation, entreprise, show, query }) {
  const [moved, setMoved] = useState(false);
  const { statut, commentaire, ressource, debut, fin, prixCentimes } = reservation;
  const dureeMinutes = (Date.parse(fin) - Date.parse(debut)) / 60_000;
  const who = ressource?.nom;
  const isNew = query.has('nouvelle') && isOpen(reservation) && !moved;
  const onDone = () => setMoved(true);
  const isMovable = isOpen(reservation) && !deadlineOf(reservation, entreprise).over;
  const move = html`<${Move} ...${{ reservation, entreprise, query, show, onDone }} />`;
  const comment = html`
    <${Fact} icon="mail" label=${t('commentLabel')}><span class="said">${commentaire}</span><//>`;
  const asked = statut === 'demandee';
  const title = t(asked ? 'askedTitle' : 'bookedTitle');
  const lead = t(asked ? 'askedLead' : 'bookedLead');
  return html`
    <${Page} title=${isNew ? title : t('bookingTitle')} lead=${isNew && lead}>
      <section class="card stack">
        <div class="row"><${Status} statut=${statut} /></div>
        <${Summary} ...${reservation} ...${{ entreprise, who }}
          prestation=${{ ...reservation.prestation, dureeMinutes, prixCentimes }}>
          ${commentaire && comment}
        <//>
        <${Actions} ...${{ reservation, entreprise, show }} />
      </section>
      ${query.has('deplacer') && isMovable && move}
    <//>`;
}

/** @param {Reservation} reservation */
export const isOpen = ({ statut, debut }) => OPEN.has(statut) && Date.parse(debut) > Date.now();

/** @param {Shown} props */
function Actions({ reservation, entreprise, show }) {
  const [asking, setAsking] = useState(false);
  const again = address(`entreprises/${entreprise.id}`, { prestation: reservation.prestationId });
  if (!isOpen(reservation)) {
    return html`<div><a class="button main" href=${again}>${t('bookAgain')}</a></div>`;
  }
  const { over, when } = deadlineOf(reservation, entreprise);
  const warning = reservation.ferme ? 'closedThen' : over && 'tooLate';
  const advice = warning ? t(warning, { when }) : untilOf(reservation, entreprise);
  const move = () => {
    setQuery({ deplacer: '1' }, { replace: false });
    focusOn('#move'); // the heading may be out of sight
  };
  const cancel = () => setAsking(true);
  return html`
    <${Note} tone=${warning ? 'warn' : ''} icon="info">${advice}<//>
    <div class="actions">
      <${Button} icon="download" class="main" onClick=${() => download(reservation)}>
        ${t('addToCalendar')}
      <//>
      ${!over && html`<${Button} icon="swap" onClick=${move}>${t('move')}<//>`}
      ${!over && html`<${Button} class="danger" onClick=${cancel}>${t('cancelBooking')}<//>`}
    </div>
    <p class="small">${t('alsoAddTo')} <${Calendars} ...${{ reservation, entreprise }} /></p>
    ${asking && html`<${Cancel} ...${{ reservation, show }} onClose=${() => setAsking(false)} />`}`;
}

/**
 * Says until when the customer can change a booking. The deadline of a request changes if the
 * business approves the request.
 * @param {Reservation} reservation
 * @param {Entreprise} entreprise
 */
function untilOf(reservation, entreprise) {
  const { when } = deadlineOf(reservation, entreprise);
  const approved = deadlineOf({ ...reservation, statut: 'confirmee' }, entreprise);
  if (approved.when === when) return t('until', { when });
  if (approved.over) return `${t('until', { when })} ${t('neverLater')}`;
  return t('untilAsked', { when, after: approved.when });
}

/** @param {Booked} props */
function Calendars({ reservation: { debut, fin, prestation }, entreprise }) {
  const text = `${prestation.nom} · ${entreprise.nom}`;
  const location = placeOf(entreprise);
  const [start, end] = [debut, fin].map((instant) => new Date(instant).toISOString().slice(0, 19));
  const dates = `${start}Z/${end}Z`.replace(/[-:]/g, '');
  const event = { subject: text, startdt: `${start}Z`, enddt: `${end}Z`, location };
  /** @type {[string, string, Record<string, string>][]} */
  const calendars = [
    ['Google', `${GOOGLE}?action=TEMPLATE`, { text, dates, location }],
    ['Outlook', `${OUTLOOK}?rru=addevent`, event],
  ];
  return calendars.map(
    ([name, url, values], n) => html`
    ${n > 0 && ' · '}<a href="${url}&${new URLSearchParams(values)}" target="_blank" rel="noopener">
      ${name}
    </a>`,
  );
}

/** @param {Reservation} reservation */
async function download({ id }) {
  try {
    await saveFrom(`api/reservations/${id}.ics`, `rendez-vous-${id}.ics`);
  } catch (error) {
    say(explain(error).general);
  }
}

/** @param {Pick<Shown, 'reservation' | 'show'> & { onClose: () => void }} props */
function Cancel({ reservation, show, onClose }) {
  const path = `api/reservations/${reservation.id}`;
  /** @param {Reservation} changed */
  const onDone = (changed) => {
    onClose();
    show(changed);
    if (changed.statut === 'annulee') say(t('cancelled'));
  };
  const send = async () => {
    try {
      await remove(path, reservation.version);
      return { ...reservation, statut: 'annulee' };
    } catch (error) {
      if (refusalOf(error).code !== 'stale_version') throw error;
      const changed = await get(path);
      if (!isOpen(changed)) return changed;
      show(changed);
      throw error; // keeps the dialog open, which now shows the changed booking
    }
  };
  const codes = { stale_version: { field: '', text: t('changedSince') } };
  return html`
    <${Question} title=${t('cancelSure')} action=${t('cancelYes')} back=${t('cancelNo')}
      ...${{ send, onDone, codes, onClose }}>
      <p><strong>${dateTime(reservation.debut)}</strong></p>
      <p>${t('cancelSureHelp')}</p>
    <//>`;
}
