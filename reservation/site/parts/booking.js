// Components for a booking: its status, its summary, and the form that books a time.
import { get } from '../api.js';
import { postOnce } from '../attempts.js';
import {
  capital,
  clockIn,
  dateTime,
  dateTimes,
  dayOf,
  dotted,
  isElsewhere,
  length,
  price,
  zoneName,
} from '../dates.js';
import { placeOf } from '../formats.js';
import { t as ofAccount } from '../texts/account.js';
import { t } from '../texts/booking.js';
import { html, useEffect } from '../vendor/htm-3.1.1.js';
import { Prove } from './code.js';
import { Field, Form, useForm } from './form.js';
import { useLoad } from './load.js';
import { Email, Phone } from './names.js';
import { Icon, say } from './page.js';
import { Alternatives } from './times.js';

export { nameOf, Places } from './names.js';

/** @import { TimesOf } from './times.js' */
/** @import { Entreprise, Load, Prestation, Reservation, Start, Statut, User } from '../types.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */

const TONES = {
  demandee: 'warn',
  confirmee: 'good',
  refusee: 'danger',
  annulee: 'danger',
  honoree: 'good',
  absente: '',
};

/** @param {{ statut: Statut }} props */
export const Status = ({ statut }) =>
  html`<span class="badge ${TONES[statut]}">${t(statut)}</span>`;

/**
 * Shows the facts of a booking. `who` is the name of the person; `lieu` is the room.
 * @param {{ entreprise: Entreprise, prestation: Pick<Prestation, 'nom'> & Partial<Prestation>,
 *   debut: string, fin?: string, places?: number, who?: string, lieu?: { nom: string },
 *   aside?: VNode, children?: VNode }} props
 */
export function Summary({ entreprise, prestation, debut, fin, who, lieu, aside, ...others }) {
  const { places = 1, children } = others;
  const { dureeMinutes = 0, prixCentimes = 0, nom } = prestation;
  const { telephone, email } = entreprise;
  const facts = dotted(
    dureeMinutes && length(dureeMinutes),
    price(prixCentimes * places),
    places > 1 && t('places', { n: places }),
  );
  const zone = isElsewhere(debut) && zoneName(entreprise.fuseau);
  const write = email && html`<${Email} to=${email} />`;
  return html`
    <dl class="facts">
      <${Fact} icon="calendar" label=${t('whenLabel')}>
        ${capital(dateTimes(debut, fin))} ${aside}
        ${zone && html`<small class="block">${t('otherClock', { zone })}</small>`}
      <//>
      <${Fact} icon="check" label=${t('whatLabel')}>
        ${nom}${facts && html` <small class="muted">${facts}</small>`}
      <//>
      ${who && html`<${Fact} icon="user" label=${t('whoLabel')}>${capital(who)}<//>`}
      <${Fact} icon="pin" label=${t('whereLabel')}>
        <a href="entreprises/${entreprise.id}">${entreprise.nom}</a>
        ${lieu && ` · ${lieu.nom}`}
        <small class="block">${placeOf(entreprise)}</small>
        <small class="block">${telephone ? html`<${Phone} number=${telephone} />` : write}</small>
      <//>
      ${children}
    </dl>`;
}

/**
 * An entry of a <dl class="facts">.
 * @param {{ icon: string, label: string, children?: VNode | string }} props
 */
export const Fact = ({ icon, label, children }) => html`
  <div><${Icon} name=${icon} /><dt class="muted small">${label}</dt><dd>${children}</dd></div>`;

/** Returns an entry of a <ul>, with an icon. @param {string} icon @param {unknown} content */
export const entry = (icon, content) =>
  html`<li class="with-icon"><${Icon} name=${icon} /><span>${content}</span></li>`;

/** Returns "avec Léa", or undefined without a person. @param {{ nom: string }} [person] */
export const withName = (person) => person && t('withName', { name: person.nom });

/**
 * Returns the free places of a time. `start` may have those of the person with the most: reads
 * those of a chosen person.
 * @param {Start} start
 * @param {TimesOf} of
 */
function usePlaces({ id, debut, placesRestantes, ressources = [] }, of) {
  const { entreprise, prestation, person } = of;
  const several = person && placesRestantes > 1 && ressources.length > 1;
  const [day, path] = [dayOf(debut), `api/entreprises/${entreprise.id}/creneaux`];
  const query = { prestation: prestation.id, du: day, au: day, ressource: person?.id };
  /** @type {Load<Start[]>} */
  const own = useLoad(async () => (several ? get(path, query) : []), [id, person?.id]);
  const same = own.waiting || own.error ? null : own.value?.find((one) => one.debut === debut);
  return several && same ? same.placesRestantes : placesRestantes;
}

const EMPTY = { commentaire: '', places: '1' };

/**
 * The form that books a time. If the time is taken, the form shows other times. `drafts` has the
 * input of each user, so that no input is lost when a user must sign in again. `onChange` is called
 * if the price or the length of the service has changed since the user saw it. `aside` follows the
 * name of the user.
 * @param {TimesOf & { start: Start, user: User, drafts: Record<number, typeof EMPTY>,
 *   aside?: VNode, onDone: (made: Reservation) => void, onChange: () => void }} props
 */
export function Confirm({ start, user, drafts, aside, onDone, onChange, ...of }) {
  const { entreprise, prestation, person } = of;
  const form = useForm(
    drafts[user.id] ?? EMPTY,
    ({ commentaire, places }) =>
      postOnce('api/reservations', {
        creneauId: start.id,
        prestationId: prestation.id,
        prestationVersion: prestation.version,
        ressourceId: person?.id,
        places: Number(places),
        commentaire,
      }),
    // `stays` keeps the input when another time is chosen, which changes only the URL's query.
    { unsure: t('lostAnswer'), onDone, stays: true },
  );
  drafts[user.id] = form.values;
  const choices = Math.min(usePlaces(start, of), 10);
  useEffect(() => {
    form.clear();
    form.set({ places: `${Math.min(Number(form.values.places), choices)}` });
  }, [start.id, person?.id, choices]);
  const isOld = form.trouble?.error.code === 'service_changed';
  useEffect(() => {
    if (isOld) onChange();
  }, [isOld]);
  const unproven = form.trouble?.error.code === 'address_unproven';
  const proven = () => {
    form.clear();
    say(ofAccount('addressProven'));
  };
  const proof = html`
    <div class="card stack">
      <${Prove} email=${user.email} action=${ofAccount('confirmAddress')} onDone=${proven} />
    </div>`;
  const name = `${user.first_name} ${user.last_name}`.trim();
  const action = t(entreprise.validationManuelle ? 'askFor' : 'confirm');
  const amount = price(prestation.prixCentimes * Number(form.values.places));
  return html`
    <${Alternatives} refusal=${form.taken} ...${of} />
    <p class="with-icon">
      <${Icon} name="user" /><span>${t('bookedAs', { name, email: user.email })} ${aside}</span>
    </p>
    <${Form} form=${form} action=${dotted(action, amount)}>
      ${choices > 1 && html`<${PlacesField} most=${choices} />`}
      <${Field} name="commentaire" label=${t('comment')} as="textarea" rows="3" required=${false}
        maxlength="2000" />
      <${Deadline} entreprise=${entreprise} debut=${start.debut} />
    <//>
    ${unproven && proof}`;
}

/** @param {{ most: number }} props */
const PlacesField = ({ most }) => html`
  <${Field} name="places" label=${t('howMany')} as="select">
    ${Array.from({ length: most }, (_, n) => html`<option value=${n + 1}>${n + 1}</option>`)}
  <//>`;

/**
 * Returns the customer's deadline for changing a booking. `when` is the deadline as text. `over` is
 * true if the deadline has passed. A request, or a visit during a closure, can be changed until its
 * start.
 * @param {Pick<Reservation, 'debut' | 'ferme'> & { statut?: Statut }} reservation
 * @param {Entreprise} entreprise
 */
export function deadlineOf({ debut, statut, ferme }, { delaiAnnulation, fuseau }) {
  const minutes = ferme || statut === 'demandee' ? 0 : delaiAnnulation;
  const until = Date.parse(debut) - minutes * 60_000;
  return { over: Date.now() > until, when: dateTime(clockIn(fuseau, until)) };
}

/** @param {{ entreprise: Entreprise, debut: string }} props */
export function Deadline({ entreprise, debut }) {
  const { over, when } = deadlineOf({ debut }, entreprise);
  return html`<p class="hint">${t(over ? 'neverLater' : 'until', { when })}</p>`;
}
