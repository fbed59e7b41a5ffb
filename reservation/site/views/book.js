// /entreprises/{id}/reserver?prestation=&creneau=&jour=: sign in if needed, then confirm. A time
// that was clicked is known already; the time of a shared address is read.
import { get, known, recall, remember, session } from '../api.js';
import { dayOf, isDay } from '../dates.js';
import { Confirm, Summary } from '../parts/booking.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Page } from '../parts/page.js';
import { SignIn } from '../parts/signin.js';
import { Alternatives } from '../parts/times.js';
import { address, go } from '../router.js';
import { t } from '../texts/booking.js';
import { html, useEffect, useRef } from '../vendor/htm-3.1.1.js';

/** @import { Refusal } from '../api.js' */
/** @import { Entreprise, Reservation, Service, Start, ViewProps } from '../types.js' */
/** @typedef {{ entreprise: Entreprise, prestation: Service }} ChosenService */
/** @typedef {ChosenService & { start?: Start, refusal: Pick<Refusal, 'body'> }} Choice */

/**
 * Returns the time of the address, or the nearest free times if that one is taken.
 * @param {string} id
 * @param {URLSearchParams} query
 * @returns {Promise<Choice>}
 */
async function choiceOf(id, query) {
  const creneau = Number(query.get('creneau'));
  const service = Number(query.get('prestation'));
  const clicked = recall('chosen');
  if (clicked?.start.id === creneau && clicked.prestation.id === service) return clicked;
  const path = `api/entreprises/${id}`;
  const jour = query.get('jour');
  const day = isDay(jour) ? jour : undefined;
  const [entreprise, prestation, starts] = await Promise.all([
    known(path),
    get(`api/prestations/${service}`),
    get(`${path}/creneaux`, { prestation: service, du: day, au: day, tous: 1 }),
  ]);
  /** @type {Start | undefined} */
  const start = starts.find((/** @type {Start} */ one) => one.id === creneau);
  const wanted = Date.parse(start?.debut ?? '');
  /** @param {Start} one */
  const distance = ({ debut }) => Math.abs(Date.parse(debut) - wanted) || 0;
  const alternatives = starts
    .filter((/** @type {Start} */ one) => !one.motif)
    .sort((/** @type {Start} */ a, /** @type {Start} */ b) => distance(a) - distance(b))
    .slice(0, 3);
  const refusal = { body: { motif: start?.motif, alternatives } };
  return { entreprise, prestation, start: start?.motif ? undefined : start, refusal };
}

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const causes = [id, query.get('prestation'), query.get('creneau')];
  const choice = useLoad(() => choiceOf(id, query), causes);
  return html`
    <${Loaded} from=${choice} whole>${(/** @type {Choice} */ chosen) => html`
      <${Page} title=${t('bookTitle')}>
        <${chosen.start ? Chosen : Gone} ...${chosen} />
      <//>`}<//>`;
}

/** @param {Entreprise} entreprise @param {Service} prestation @param {Start} [start] */
const weekOf = (entreprise, prestation, start) =>
  address(`entreprises/${entreprise.id}`, {
    prestation: prestation.id,
    semaine: start && dayOf(start.debut),
  });

/** @param {Choice} props */
const Gone = ({ entreprise, prestation, refusal }) => html`
  <${Alternatives} ...${{ refusal, entreprise, prestation }} />
  <a href=${weekOf(entreprise, prestation)}>${t('seeWholeWeek')}</a>`;

/** @param {ChosenService & { start: Start }} props */
function Chosen({ entreprise, prestation, start }) {
  const user = session.use()?.user;
  const step = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef(user);
  useEffect(() => {
    if (user && !before.current) step.current?.focus(); // the form that had the focus is gone
    before.current = user;
  }, [user]);
  /** @param {Reservation} made */
  const onDone = (made) => {
    remember(`api/reservations/${made.id}`, made);
    remember(`api/entreprises/${entreprise.id}`, entreprise);
    go(`reservations/${made.id}?nouvelle=1`, { replace: true });
  };
  const change = html`<a href=${weekOf(entreprise, prestation, start)}>${t('change')}</a>`;
  return html`
    <section class="card">
      <${Summary} ...${{ entreprise, prestation }} debut=${start.debut} aside=${change} />
    </section>
    <section class="card stack">
      <h2 ref=${step} tabindex="-1">${t(user ? 'stepConfirm' : 'stepWho')}</h2>
      ${user && html`<${Confirm} ...${{ entreprise, prestation, start, user, onDone }} />`}
      ${!user && html`<p class="muted">${t('choiceKept')}</p><${SignIn} named />`}
    </section>`;
}
