// /reservations/{id}?nouvelle=&deplacer=&semaine=: one reservation, to keep, move or cancel. The
// messages to its business lead here too, which sees it as in its calendar.
import { html, useState } from '../vendor/htm-3.1.1.js';
import { file, forget, get, known, put, recall, Refusal, remove, session } from '../api.js';
import { clockIn, dateTime, dayOf, isDay } from '../dates.js';
import { Dialog } from '../parts/dialog.js';
import { Form, useForm } from '../parts/form.js';
import { Icon, Loaded, Page, say, sentence, Trouble, useLoad } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { Summary } from '../parts/summary.js';
import { Alternatives } from '../parts/times.js';
import { Week } from '../parts/week.js';
import { address, setQuery } from '../router.js';
import { t } from '../texts.js';
import '../texts/booking.js';

/** The reservation and its business. One that was just booked is known already. */
async function visitOf(id) {
  const path = `api/reservations/${id}`;
  const reservation = recall(path) ?? await get(path);
  forget(path);
  return { reservation, entreprise: await known(`api/entreprises/${reservation.entrepriseId}`) };
}

export default function View({ id, query }) {
  const visit = useLoad(() => visitOf(id), [id]);
  const [over, tell] = useState(null); // what became of it on this page: 'moved'
  return html`
    <${Loaded} from=${visit} whole>${({ reservation, entreprise }) => {
      if (reservation.client && reservation.utilisateurId !== session()?.user.id) {
        return html`<${OfBusiness} ...${{ reservation, entreprise }} again=${visit.again} />`;
      }
      const show = (changed) => visit.set({ reservation: changed, entreprise });
      const fresh = query.has('nouvelle') && reservation.statut !== 'annulee' && over !== 'moved';
      const asked = reservation.statut === 'demandee';
      const title = fresh ? t(asked ? 'askedTitle' : 'bookedTitle') : t('visitTitle');
      return html`
        <${Page} title=${title} lead=${fresh && t(asked ? 'askedLead' : 'bookedLead')}>
          <section class="card stack">
            <div class="row"><${Status} of=${reservation.statut} /></div>
            <${Summary} ...${reservation} entreprise=${entreprise}>
              ${reservation.commentaire && html`<div><${Icon} name="mail" /><dt>${t('commentLabel')}</dt><dd class="said">${reservation.commentaire}</dd></div>`}
            <//>
            <${Actions} ...${{ reservation, entreprise, show }} />
          </section>
          ${query.has('deplacer') && html`<${Move} ...${{ reservation, entreprise, query, show }} onDone=${() => tell('moved')} />`}
        <//>`;
    }}<//>`;
}

/** Read by those alone who need it. */
function OfBusiness(shown) {
  const loaded = useLoad(() => import('./gestion/alone.js').catch(() => { throw new Refusal(0); }), []);
  return html`<${Loaded} from=${loaded}>${({ Alone }) => html`<${Alone} ...${shown} />`}<//>`;
}

const isOpen = ({ statut, debut }) => ['demandee', 'confirmee'].includes(statut) && Date.parse(debut) > Date.now();

/** Until when its customer may change it; the business itself always may. */
function deadlineOf(reservation, entreprise) {
  const until = Date.parse(reservation.debut) - entreprise.delaiAnnulation * 60_000;
  const late = Date.now() > until && reservation.utilisateurId === session()?.user.id;
  return { late, when: dateTime(clockIn(entreprise.fuseau, until)) };
}

function Actions({ reservation, entreprise, show }) {
  const [asking, ask] = useState(false);
  const again = address(`entreprises/${entreprise.id}`, { prestation: reservation.prestationId });
  if (!isOpen(reservation)) return html`<div><a class="button main" href=${again}>${t('bookAgain')}</a></div>`;
  const { late, when } = deadlineOf(reservation, entreprise);
  return html`
    <div class=${`note ${late ? 'warn' : ''}`}><${Icon} name="info" /><p>${t(late ? 'tooLate' : 'until', { when })}</p></div>
    <div class="actions">
      <button type="button" class="main" onClick=${() => download(reservation)}><${Icon} name="download" />${t('addToCalendar')}</button>
      ${!late && html`
        <button type="button" onClick=${() => setQuery({ deplacer: '1' })}><${Icon} name="swap" />${t('move')}</button>
        <button type="button" class="danger" onClick=${() => ask(true)}>${t('cancelVisit')}</button>`}
    </div>
    ${asking && html`<${Cancel} ...${{ reservation, show }} onClose=${() => ask(false)} />`}`;
}

/** The file wants the token, so it is fetched and handed over from memory. */
async function download({ id }) {
  try {
    const url = URL.createObjectURL(await file(`api/reservations/${id}.ics`));
    Object.assign(document.createElement('a'), { href: url, download: `rendez-vous-${id}.ics` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch (error) {
    say(sentence(error));
  }
}

function Cancel({ reservation, show, onClose }) {
  const path = `api/reservations/${reservation.id}`;
  const form = useForm({}, () => remove(path), {
    onDone: () => {
      onClose();
      show({ ...reservation, statut: 'annulee' });
      say(t('cancelled'));
      toHeading();
    },
  });
  const keep = html`<button type="button" onClick=${onClose}>${t('cancelNo')}</button>`;
  return html`
    <${Dialog} title=${t('cancelSure')} onClose=${onClose}>
      <p><strong>${dateTime(reservation.debut)}</strong></p>
      <p>${t('cancelSureHelp')}</p>
      <${Form} of=${form} action=${t('cancelYes')} aside=${keep} danger />
    <//>`;
}

/** The button that was pressed may be gone. */
const toHeading = () => setTimeout(() => document.querySelector('h1')?.focus());

function Move({ reservation, entreprise, query, show, onDone }) {
  const prestation = useLoad(() => known(`api/prestations/${reservation.prestationId}`), [reservation.prestationId]);
  const [error, tell] = useState(null);
  const semaine = query.get('semaine');
  async function choose(start) {
    tell(null);
    try {
      const body = { creneauId: start.id, version: reservation.version };
      const moved = await put(`api/reservations/${reservation.id}`, body);
      show(moved);
      onDone();
      setQuery({ deplacer: '', semaine: '', nouvelle: '' });
      say(t('moved', { when: dateTime(moved.debut) }));
      toHeading();
    } catch (refused) {
      tell(Object.assign(refused, { retry: () => choose(start) }));
    }
  }
  return html`
    <section class="card stack" aria-labelledby="move">
      <div class="spread">
        <h2 id="move" tabindex="-1">${t('moveTitle')}</h2>
        <button type="button" class="small" onClick=${() => setQuery({ deplacer: '', semaine: '' })}>${t('moveKeep')}</button>
      </div>
      <${Loaded} from=${prestation}>${(service) => html`
        ${error?.status === 409 && html`<${Alternatives} refusal=${error} entreprise=${entreprise} prestation=${service} choose=${choose} />`}
        ${error && error.status !== 409 && html`<${Trouble} error=${error} again=${error.retry} />`}
        <${Week} ...${{ entreprise, choose }} prestation=${service} places=${reservation.places}
          from=${isDay(semaine) ? semaine : dayOf(reservation.debut)} onWeek=${(day) => setQuery({ semaine: day })} />`}<//>
    </section>`;
}
