// Page /compte/donnees: all data of the account.
import { get } from '../../api.js';
import { capital, clockIn, dateTime, dotted } from '../../dates.js';
import { nameOf, Status } from '../../parts/booking.js';
import { Loaded, useLoad } from '../../parts/load.js';
import { Page } from '../../parts/page.js';
import { t } from '../../texts/account.js';
import { messages as mails } from '../../texts/messages.js';
import { isolated, translator } from '../../texts.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { Email } from '../../gestion/types.js' */
/** @import { Client, Compte, Reservation } from '../../types.js' */
/** @import { VNode } from '../../vendor/htm-3.1.1.js' */
/** @typedef {Client & { entrepriseId: number, entreprise: string, note: string }} Fiche */

/**
 * @typedef {{ compte: Compte, creeLe: string, reservations: Reservation[], messages: Email[],
 *   fiches: Fiche[], entreprises: { nom: string }[], ressources: { nom: string }[] }} Export
 */

const kinds = translator(mails);

export default function View() {
  const data = useLoad(() => get('api/compte/export'), []);
  return html`
    <${Page} title=${t('myData')}>
      <${Loaded} from=${data}>${(/** @type {Export} */ value) => html`<${Shown} ...${value} />`}<//>
      <p><a href="compte">${t('navAccount')}</a></p>
    <//>`;
}

/** @param {Export} props */
function Shown({ compte, creeLe, reservations, messages, fiches, entreprises, ressources }) {
  /** @type {[string, string | null][]} */
  const facts = [
    [t('email'), compte.email],
    [t('phone'), compte.telephone],
    [t('birthDate'), compte.dateNaissance],
    [t('accountSince'), ownTime(creeLe)],
  ];
  return html`
    <${Part} title=${`${compte.prenom} ${compte.nom}`.trim()} items=${facts.filter(([, is]) => is)}
      draw=${(/** @type {string[]} */ [label, is]) => html`<b>${label}</b> ${is}`} />
    <${Part} title=${t('navBookings')} items=${reservations}
      draw=${(/** @type {Reservation} */ { debut, prestation, entreprise, statut, commentaire }) =>
        html`
          ${dotted(capital(dateTime(debut)), prestation.nom, entreprise.nom)}
          ${' '}<${Status} statut=${statut} />
          ${commentaire && html`<q class="said block">${commentaire}</q>`}`} />
    <${Part} title=${t('whatBusinessesNote')} items=${fiches}
      draw=${(/** @type {Fiche} */ fiche) => html`
        <b>${fiche.entreprise}</b> ${isolated(nameOf(fiche))} ${fiche.telephone}
        ${fiche.note && html`<q class="said block">${fiche.note}</q>`}`} />
    <${Part} title=${t('mailsToMe')} items=${messages}
      draw=${(/** @type {Email} */ { creeLe: at, sujet, genre }) =>
        html`${capital(ownTime(at))} · ${sujet || kinds(`genre_${genre}`)}`} />
    <${Part} title=${t('navManage')} items=${entreprises}
      draw=${(/** @type {{ nom: string }} */ { nom }) => nom} />
    <${Part} title=${t('ownCalendars')} items=${ressources}
      draw=${(/** @type {{ nom: string }} */ { nom }) => nom} />`;
}

/** Returns the date and time on the visitor's clock. @param {string} instant */
const ownTime = (instant) => dateTime(clockIn(undefined, Date.parse(instant)));

/**
 * @param {{ title: string, items: any[], draw: (item: any) => VNode | string }} props
 */
const Part = ({ title, items, draw }) =>
  items.length > 0 &&
  html`
    <section class="card stack">
      <h2>${title}</h2>
      <ul class="stack tight">${items.map((item) => html`<li>${draw(item)}</li>`)}</ul>
    </section>`;
