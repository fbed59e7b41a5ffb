// One visit as its owner sees it: who comes, and what can be said of it in its state.
import { html, useRef, useState } from '../../vendor/htm-3.1.1.js';
import { known, put } from '../../api.js';
import { capital, dateTime, dayOf, timeOf } from '../../dates.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Icon, Loaded, say, useLoad } from '../../parts/page.js';
import { Status } from '../../parts/status.js';
import { Alternatives } from '../../parts/times.js';
import { Week } from '../../parts/week.js';
import { t } from '../../texts.js';
import { nameOf } from './reading.js';
import { Refused } from './refused.js';

const change = (visit, changes) => put(`api/reservations/${visit.id}`, { ...changes, version: visit.version });

export function Visit({ of, entreprise, onDone, reload }) {
  const [step, go] = useState(null); // 'refusee', 'annulee', 'move'
  const back = () => go(null);
  const done = (key) => (changed) => {
    say(t(key, { who: nameOf(changed.client), when: dateTime(changed.debut) }));
    onDone();
  };
  const shared = { of, entreprise, back, reload };
  return html`
    <${Facts} of=${of} />
    ${step === 'move' && html`<${Move} ...${shared} done=${done('visitMoved')} />`}
    ${['refusee', 'annulee'].includes(step) && html`<${Release} ...${shared} statut=${step} done=${done(step === 'refusee' ? 'visitRefused' : 'visitCancelled')} />`}
    ${!step && html`<${Actions} ...${shared} go=${go} done=${done} />`}`;
}

function Facts({ of }) {
  const { client } = of;
  return html`
    <div class="row"><${Status} of=${of.statut} />${of.places > 1 && html`<span class="badge">${t('places', { n: of.places })}</span>`}</div>
    <ul class="stack tight">
      <li class="with-icon"><${Icon} name="calendar" /><b>${capital(dateTime(of.debut))} – ${timeOf(of.fin)}</b></li>
      <li class="with-icon"><${Icon} name="check" /><span>${of.prestation.nom}</span></li>
      ${client.telephone && html`<li class="with-icon"><${Icon} name="phone" /><a href="tel:${client.telephone.replace(/[^+\d]/g, '')}">${client.telephone}</a></li>`}
      <li class="with-icon"><${Icon} name="mail" /><a href="mailto:${client.email}">${client.email}</a></li>
      ${of.commentaire && html`<li class="with-icon"><${Icon} name="info" /><q class="said">${of.commentaire}</q></li>`}
    </ul>`;
}

/** What the state and the hour allow: the buttons of it. */
function Actions({ of, go, done, reload }) {
  const asked = useRef();
  const form = useForm({}, () => change(of, { statut: asked.current }), { onDone: (changed) => done(`told_${changed.statut}`)(changed) });
  const tell = (statut) => () => { asked.current = statut; form.submit(); };
  const begun = Date.parse(of.debut) <= Date.now();
  const open = ['demandee', 'confirmee'].includes(of.statut);
  if (!open) return null;
  const button = (statut, icon, kind) => html`
    <button type="button" class=${kind} aria-disabled=${form.busy} onClick=${tell(statut)}><${Icon} name=${icon} />${t(`do_${statut}`)}</button>`;
  return html`
    <form ref=${form.element} class="actions" onSubmit=${form.submit}>
      ${of.statut === 'demandee' && html`${button('confirmee', 'check', 'main')}<button type="button" class="danger" onClick=${() => go('refusee')}>${t('refuse')}</button>`}
      ${of.statut === 'confirmee' && begun && html`${button('honoree', 'check', 'main')}${button('absente', 'close', '')}`}
      ${!begun && html`<button type="button" onClick=${() => go('move')}><${Icon} name="swap" />${t('move')}</button>`}
      ${of.statut === 'confirmee' && html`<button type="button" class="danger" onClick=${() => go('annulee')}>${t('cancelVisit')}</button>`}
    </form>
    ${form.trouble && html`<${Refused} error=${form.trouble.error} again=${form.submit} reload=${reload} />`}`;
}

/** Refuse or cancel, with a word that goes out with the message. */
function Release({ of, statut, back, done, reload }) {
  const form = useForm({ message: '' }, ({ message }) => change(of, { statut, message }), { onDone: done });
  return html`
    <${Form} of=${form} danger reload=${reload} action=${t(statut === 'refusee' ? 'refuseYes' : 'cancelYes')}
      aside=${html`<button type="button" onClick=${back}>${t('back')}</button>`}>
      <${Word} of=${form} />
    <//>`;
}

const Word = ({ of }) => html`
  <${Field} of=${of} name="message" as="textarea" rows="3" label=${t('word')} hint=${t('wordHint')} required=${false} maxlength="1000" />`;

/** Another time of the same service: chosen in its week, then confirmed with a word. */
function Move({ of, entreprise, back, done, reload }) {
  const prestation = useLoad(() => known(`api/prestations/${of.prestationId}`), [of.prestationId]);
  const [from, turn] = useState(dayOf(of.debut));
  const [start, choose] = useState(null);
  return html`
    <${Loaded} from=${prestation}>${(service) => (start
      ? html`<${Confirm} key=${start.id} ...${{ of, entreprise, start, service, done, reload, choose }} />`
      : html`
        <h3>${t('moveTitle')}</h3>
        <div class="move"><${Week} entreprise=${entreprise} prestation=${service} places=${of.places} from=${from} onWeek=${turn} choose=${choose} /></div>
        <div><button type="button" onClick=${back}>${t('moveKeep')}</button></div>`)}<//>`;
}

function Confirm({ of, entreprise, start, service, done, reload, choose }) {
  const form = useForm({ message: '' }, ({ message }) => change(of, { creneauId: start.id, message }), { onDone: done });
  const error = form.trouble?.error;
  return html`
    ${error?.status === 409 && html`<${Alternatives} refusal=${error} entreprise=${entreprise} prestation=${service} choose=${choose} />`}
    <p class="note good"><${Icon} name="swap" /><span>${t('moveTo', { when: dateTime(start.debut) })}</span></p>
    <${Form} of=${form} reload=${reload} action=${t('moveYes')} aside=${html`<button type="button" onClick=${() => choose(null)}>${t('otherTime')}</button>`}>
      <${Word} of=${form} />
    <//>`;
}
