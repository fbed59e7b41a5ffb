// /integrer/{id}: booking inside of somebody else's page. All happens in this one view, without the
// frame of the site; links open a tab of their own. Where the browser keeps no storage for a frame,
// one is signed in as long as it is shown.
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';
import { get, known, useSession } from '../api.js';
import { postOnce } from '../attempts.js';
import { capital, dateTime, length, price, today } from '../dates.js';
import { Field, Form, useForm } from '../parts/form.js';
import { Icon, Loaded, Page, useLoad } from '../parts/page.js';
import { SignInOrRegister } from '../parts/signin.js';
import { Alternatives, bookingOf } from '../parts/times.js';
import { Week } from '../parts/week.js';
import { add, t } from '../texts.js';
import '../texts/booking.js';

add({
  embeddedBy: ['Réservation en ligne', 'Online booking'],
  bookInTab: ['Continuer dans un nouvel onglet', 'Go on in a new tab'],
  bookAnother: ['Prendre un autre rendez-vous', 'Make another booking'],
  seeVisit: ['Voir, déplacer ou annuler', 'See, move or cancel'],
});

export default function View({ id }) {
  const path = `api/entreprises/${id}`;
  const all = useLoad(() => Promise.all([known(path), get(`${path}/prestations`, { limite: 200 })]), [id]);
  const [prestation, choose] = useState(null);
  const [start, take] = useState(null);
  const [made, keep] = useState(null);
  const outside = ({ target }) => {
    const link = target.closest('a[href]');
    if (link) link.target = '_blank';
  };
  return html`
    <div class="embedded" onClickCapture=${outside}>
      <${Loaded} from=${all}>${([entreprise, services]) => {
        const chosen = prestation ?? services[0];
        return html`
          <${Page} title=${entreprise.nom} size="wide">
            ${made ? html`<${Made} of=${made} onAgain=${() => { keep(null); take(null); }} />`
              : !entreprise.actif || !chosen ? html`<div class="empty"><p>${t(chosen ? 'notTaking' : 'noService')}</p></div>`
                : start ? html`<${Who} key=${start.id} ...${{ entreprise, start, take }} prestation=${chosen} onDone=${keep} />`
                  : html`<${Times} ...${{ entreprise, services, choose, take }} prestation=${chosen} />`}
            <p class="muted small"><a href="entreprises/${id}">${t('embeddedBy')}</a></p>
          <//>`;
      }}<//>
    </div>`;
}

function Times({ entreprise, services, prestation, choose, take }) {
  const [from, turn] = useState(today(entreprise.fuseau));
  const told = (one) => [one.nom, length(one.dureeMinutes), price(one.prixCentimes)].filter(Boolean).join(' · ');
  return html`
    <div class="field"><label for="service">${t('chooseService')}</label>
      <select id="service" value=${String(prestation.id)} onChange=${(event) => choose(services.find((one) => String(one.id) === event.target.value))}>
        ${services.map((one) => html`<option key=${one.id} value=${String(one.id)}>${told(one)}</option>`)}
      </select></div>
    <section class="stack"><h2 class="label">${t('chooseTime')}</h2><${Week} ...${{ entreprise, prestation, from }} onWeek=${turn} choose=${take} /></section>`;
}

function Who({ entreprise, prestation, start, take, onDone }) {
  const signedIn = useSession();
  const heading = useRef();
  useEffect(() => heading.current.focus(), [Boolean(signedIn)]);
  return html`
    <div class="note good"><${Icon} name="calendar" /><p><b>${capital(dateTime(start.debut))}</b> · ${prestation.nom}</p>
      <button type="button" class="small" onClick=${() => take(null)}>${t('change')}</button></div>
    <section class="stack">
      <h2 ref=${heading} tabindex="-1">${t(signedIn ? 'stepConfirm' : 'stepWho')}</h2>
      ${signedIn
        ? html`<${Confirm} ...${{ entreprise, prestation, start, take, onDone }} user=${signedIn.user} />`
        : html`<${SignInOrRegister} onDone=${() => {}} />
          <p><a href=${bookingOf(entreprise, prestation, start)} target="_blank">${t('bookInTab')}</a></p>`}
    </section>`;
}

function Confirm({ entreprise, prestation, start, take, user, onDone }) {
  const send = ({ commentaire }) => postOnce('api/reservations', { creneauId: start.id, prestationId: prestation.id, commentaire });
  const form = useForm({ commentaire: '' }, send, { onDone, unsure: t('lostAnswer') });
  const lost = form.trouble?.error.status === 409 && form.trouble.error;
  const name = `${user.first_name} ${user.last_name}`.trim();
  return html`
    ${lost && html`<${Alternatives} refusal=${lost} ...${{ entreprise, prestation }} choose=${take} />`}
    <p>${t('bookedAs', { name, email: user.email })}</p>
    <${Form} of=${form} action=${t(entreprise.validationManuelle ? 'askFor' : 'confirm')}>
      <${Field} of=${form} name="commentaire" label=${t('comment')} as="textarea" rows="2" required=${false} maxlength="2000" />
    <//>`;
}

function Made({ of, onAgain }) {
  const heading = useRef();
  useEffect(() => heading.current.focus(), []);
  const asked = of.statut === 'demandee';
  return html`
    <section class="card stack">
      <h2 ref=${heading} tabindex="-1">${t(asked ? 'askedTitle' : 'bookedTitle')}</h2>
      <p><b>${capital(dateTime(of.debut))}</b> · ${of.prestation.nom}</p>
      <p class="muted">${t(asked ? 'askedLead' : 'bookedLead')}</p>
      <div class="actions"><a class="button main" href="reservations/${of.id}" target="_blank">${t('seeVisit')}</a>
        <button type="button" onClick=${onAgain}>${t('bookAnother')}</button></div>
    </section>`;
}
