// Page /entreprises/{id}/reserver?prestation=&creneau=&jour=&heure=&avec=: signs in if needed, then
// books.
import { cache, get, known, Refusal, request, session } from '../api.js';
import { forgetAttempts, lostBookings } from '../attempts.js';
import { dayOf, isDay, timeOf } from '../dates.js';
import { Confirm, Summary } from '../parts/booking.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Page, say, watchPage } from '../parts/page.js';
import { freeAt, PersonSelect, teamPath } from '../parts/people.js';
import { SignIn } from '../parts/signin.js';
import { Alternatives } from '../parts/times.js';
import { address, go } from '../router.js';
import { OPEN } from '../states.js';
import { t } from '../texts/booking.js';
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';

/** @import { Entreprise, Reservation, Ressource, Service, Start } from '../types.js' */
/** @import { ViewProps } from '../types.js' */
/**
 * `avec` is the id of the chosen person. 0 means no preference. null means that the customer was
 * not asked.
 * @typedef {{ entreprise: Entreprise, prestation: Service, people: Ressource[],
 *   avec: number | null }} ChosenService
 */
/**
 * @typedef {ChosenService & { start?: Start, refusal: Pick<Refusal, 'body'>, lost: string[],
 *   made?: Reservation }} Choice
 */

/** Returns the id in a query parameter, or 0 if there is none. @param {string | null} text */
function idOf(text) {
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/**
 * Reads the service, the time and the chosen person from `query`. If the time is unavailable,
 * `start` is undefined, and `refusal` has the nearest free times. `lost` has the unanswered
 * attempts of this tab to book this time. `made` is the booking that one of them has made.
 * @param {string} id
 * @param {URLSearchParams} query
 * @returns {Promise<Choice>}
 */
async function choiceOf(id, query) {
  const creneau = idOf(query.get('creneau'));
  const service = idOf(query.get('prestation'));
  const avec = query.has('avec') ? idOf(query.get('avec')) : null;
  if (!creneau || !service) throw new Refusal(404, 'not_found');
  const clicked = cache.get('chosen');
  if (clicked?.start.id === creneau && clicked.prestation.id === service) {
    return { ...clicked, avec, people: await peopleOf(id, clicked.start) };
  }
  const path = `api/entreprises/${id}`;
  const jour = query.get('jour');
  const day = isDay(jour) ? jour : undefined;
  const lost = lostBookings(creneau);
  const [entreprise, prestation, mine, starts] = await Promise.all([
    known(path),
    get(`api/prestations/${service}`),
    lost.length ? bookingsOn(id, day) : [],
    get(`${path}/creneaux`, {
      prestation: service,
      du: day,
      au: day,
      tous: 1,
      ressource: avec || '',
    }),
  ]);
  // The list has one slot for each time. If the person of the clicked slot is taken now, it is the
  // slot of another person. The API still accepts the id of the clicked slot for this time. Keeping
  // this id keeps the request the same, so a second attempt sends the same Idempotency-Key.
  const same =
    starts.find((/** @type {Start} */ one) => one.id === creneau) ??
    starts.find((/** @type {Start} */ { debut }) => timeOf(debut) === query.get('heure'));
  /** @type {Start | undefined} */
  const start = same && { ...same, id: creneau };
  const made = mine.find(
    ({ prestationId, debut }) => prestationId === service && debut === start?.debut,
  );
  const wanted = Date.parse(start?.debut ?? '');
  /** @param {Start} one */
  const distance = ({ debut }) => Math.abs(Date.parse(debut) - wanted) || 0;
  const alternatives = starts
    .filter((/** @type {Start} */ one) => !one.motif)
    .sort((/** @type {Start} */ a, /** @type {Start} */ b) => distance(a) - distance(b))
    .slice(0, 3);
  const refusal = { body: { motif: start?.motif, alternatives } };
  const people = await peopleOf(id, start ?? starts[0]);
  const free = start?.motif ? undefined : start;
  return { entreprise, prestation, people, avec, start: free, refusal, lost, made };
}

/**
 * Returns the customer's open bookings of a day at the business.
 * @param {string} entreprise
 * @param {string} [day]
 * @returns {Promise<Reservation[]>}
 */
async function bookingsOn(entreprise, day) {
  const query = { entreprise, miennes: 1, du: day, au: day };
  const found = await request('GET', 'api/reservations', { query, quiet: true }).catch(() => []);
  return found.filter((/** @type {Reservation} */ { statut }) => OPEN.has(statut));
}

/**
 * Returns the persons of a business. Returns [] if the business has only one person: `start` then
 * has no `ressources`.
 * @param {string} id
 * @param {Start} [start]
 * @returns {Promise<Ressource[]>}
 */
async function peopleOf(id, start) {
  if (!start?.ressources) return [];
  const team = await known(teamPath(id));
  return team.filter((/** @type {Ressource} */ { genre }) => genre === 'personne');
}

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const causes = [id, query.get('prestation'), query.get('creneau'), query.get('avec')];
  const choice = useLoad(() => choiceOf(id, query), causes);
  const again = () => {
    cache.delete('chosen');
    choice.again();
  };
  return html`
    <${Loaded} from=${choice} whole>${(/** @type {Choice} */ chosen) => html`
      <${Page} title=${t('bookTitle')}>
        <${chosen.made ? Made : chosen.start ? Chosen : Gone} ...${chosen} onChange=${again} />
      <//>`}<//>`;
}

/** @param {ChosenService} chosen @param {Start} [start] */
const weekOf = ({ entreprise, prestation, avec }, start) =>
  address(`entreprises/${entreprise.id}`, {
    prestation: prestation.id,
    semaine: start && dayOf(start.debut),
    avec: avec || '',
  });

/** @param {Reservation} made */
const goTo = (made) => go(`reservations/${made.id}?nouvelle=1`, { replace: true });

/** @param {{ made: Reservation, lost: string[] }} props */
function Made({ made, lost }) {
  useEffect(() => {
    forgetAttempts(lost);
    goTo(made);
  }, []);
  return null;
}

/** @param {Choice} props */
const Gone = ({ refusal, ...chosen }) => html`
  <${Alternatives} ...${chosen} refusal=${refusal}
    person=${chosen.people.find(({ id }) => id === chosen.avec)} />
  <a href=${weekOf(chosen)}>${t('seeWholeWeek')}</a>`;

/** @param {ChosenService & { start: Start, onChange: () => void }} props */
function Chosen({ start, onChange, ...chosen }) {
  const { entreprise, prestation, people, avec } = chosen;
  const free = freeAt(start, people);
  const [picked, setPicked] = useState(0);
  const wanted = avec ?? picked;
  const person = free.find(({ id }) => id === wanted) ?? (free.length === 1 ? free[0] : undefined);
  const user = session.use()?.user;
  const step = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef(user);
  const drafts = useRef({}).current;
  useEffect(() => {
    if (user && !before.current) step.current?.focus(); // the form that had the focus is gone
    before.current = user;
  }, [user]);
  const hasLeft = watchPage();
  /** @param {Reservation} made */
  const onDone = (made) => {
    const asked = made.statut === 'demandee';
    if (hasLeft()) return say(t(asked ? 'askedTitle' : 'bookedTitle'));
    cache.set(`api/reservations/${made.id}`, made);
    cache.set(`api/entreprises/${entreprise.id}`, entreprise);
    goTo(made);
  };
  const change = html`<a href=${weekOf(chosen, start)}>${t('change')}</a>`;
  const asks = avec === null && free.length > 1;
  const who = !asks && free.length > 0 && (person?.nom ?? t('noPreference'));
  const of = { entreprise, prestation, people, person };
  const choice = html`
    <${PersonSelect} id="who" label=${t('whoLabel')} people=${free} person=${person}
      onPerson=${setPicked} />`;
  return html`
    <section class="card">
      <${Summary} ...${{ entreprise, prestation, who }} debut=${start.debut} aside=${change} />
      ${asks && choice}
    </section>
    <section class="card stack">
      <h2 ref=${step} tabindex="-1">${t(user ? 'stepConfirm' : 'stepWho')}</h2>
      ${user && html`<${Confirm} ...${{ ...of, start, user, drafts, onDone, onChange }} />`}
      ${!user && html`<p class="muted">${t('choiceKept')}</p><${SignIn} named />`}
    </section>`;
}
