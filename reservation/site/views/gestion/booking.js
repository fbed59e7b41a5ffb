// A booking for somebody who calls: service, time, who. The time is the one that was clicked, and
// who was here before is found by the first letters of a name.
import { html, useEffect, useMemo, useState } from '../../vendor/htm-3.1.1.js';
import { get } from '../../api.js';
import { postOnce } from '../../attempts.js';
import { capital, dateTime, dayOf, length, longDay, nearDay, timeOf } from '../../dates.js';
import { Combobox } from '../../parts/combobox.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Icon, Loaded, say, useLoad } from '../../parts/page.js';
import { Alternatives } from '../../parts/times.js';
import { t } from '../../texts.js';
import { pathOf } from './frame.js';
import { nameOf } from './reading.js';

const EMAIL = /^\S+@\S+\.\S+$/;

/** `at` is {day, debut?, prestation?}: where the click was. */
export function Booking({ entreprise, at, onDone }) {
  const services = useLoad(() => get(`${pathOf(entreprise.id)}/prestations`, { limite: 200 }), [entreprise.id]);
  return html`
    <${Loaded} from=${services}>${(all) => (all.length
      ? html`<${Choice} ...${{ entreprise, at, onDone }} services=${all} />`
      : html`<p>${t('noServiceYet')}</p><a class="button main" href="gestion/${entreprise.id}/prestations">${t('addService')}</a>`)}<//>`;
}

function Choice({ entreprise, services, at, onDone }) {
  const [wanted, want] = useState({ day: at.day, debut: at.debut });
  const [prestation, choose] = useState(services.find((one) => one.id === at.prestation) ?? services[0]);
  const query = { prestation: prestation.id, du: wanted.day, au: wanted.day };
  const starts = useLoad(() => get(`${pathOf(entreprise.id)}/creneaux`, query), [entreprise.id, prestation.id, wanted.day]);
  const near = useMemo(() => nearest(starts.value ?? [], wanted.debut), [starts.value, wanted.debut]);
  return html`
    <fieldset class="pills">
      <legend>${t('service')}</legend>
      ${services.map((one) => html`
        <label key=${one.id}><input type="radio" name="service" checked=${one === prestation} onChange=${() => choose(one)} />
          <span>${one.nom} <small>${length(one.dureeMinutes)}</small></span></label>`)}
    </fieldset>
    <${Who} ...${{ entreprise, prestation, onDone, wanted, want }} starts=${starts} start=${near} />`;
}

/** The free time at the one that was clicked, or the next after it. */
const nearest = (starts, debut) => (debut && starts.find((one) => Date.parse(one.debut) >= Date.parse(debut))) || starts[0];

function Who({ entreprise, prestation, start, starts, wanted, want, onDone }) {
  // A promise: who types before it is kept is shown the names then. One can do without them.
  const known = useMemo(() => recent(entreprise.id).catch(() => []), [entreprise.id]);
  const form = useForm({ qui: '', email: '', telephone: '', commentaire: '', places: '1' }, send, {
    check: wrongOf,
    names: { client: 'email' },
    unsure: t('lostAnswer'),
    onDone: (made) => {
      say(t('bookedFor', { who: nameOf(made.client), when: dateTime(made.debut) }));
      onDone();
    },
  });
  async function send({ qui, email, telephone, commentaire, places }) {
    const [prenom, ...nom] = qui.trim().split(/\s+/);
    const client = nom.length ? { prenom, nom: nom.join(' ') } : { nom: prenom };
    return postOnce('api/reservations', {
      creneauId: start.id, prestationId: prestation.id, places: Number(places), commentaire,
      client: { ...client, email: email.trim(), telephone: telephone.trim() },
    });
  }
  useEffect(form.clear, [start?.id]);
  const found = async (text) => (await known).filter((one) => matches(one, text)).map(labelOf);
  const fill = async (label) => {
    const one = (await known).find((each) => labelOf(each) === label);
    if (one) form.set({ qui: nameOf(one), email: one.email, telephone: one.telephone });
  };
  const taken = form.trouble?.error.status === 409 && form.trouble.error;
  const wrong = form.wrong.qui;
  return html`
    ${taken && html`<${Alternatives} refusal=${taken} ...${{ entreprise, prestation }} choose=${(one) => want({ day: dayOf(one.debut), debut: one.debut })} />`}
    <${Form} of=${form} action=${start ? t('bookAt', { when: `${nearDay(dayOf(start.debut), entreprise.fuseau)} ${timeOf(start.debut)}` }) : t('confirm')}>
      <div class="two">
        <div class="field"><label for="visit-day">${t('day')}</label>
          <input id="visit-day" type="date" value=${wanted.day} onChange=${(event) => event.target.value && want({ day: event.target.value })} /></div>
        <div class="field"><label for="visit-time">${t('time')}</label>
          <select id="visit-time" name="start" required value=${start ? String(start.id) : ''} aria-invalid=${form.wrong.start ? 'true' : undefined} aria-describedby="visit-time-hint"
            onChange=${(event) => want({ ...wanted, debut: starts.value.find((one) => String(one.id) === event.target.value).debut })}>
            ${!start && html`<option value="">–</option>`}
            ${(starts.value ?? []).map((one) => html`<option key=${one.id} value=${String(one.id)}>${timeOf(one.debut)}</option>`)}
          </select>
          <p class="hint" id="visit-time-hint" aria-live="polite"><${TimeHint} ...${{ starts, start, wanted }} /></p></div>
      </div>
      <${Combobox} id="visit-who" name="qui" label=${t('customer')} hint=${t('customerHint')} icon=${html`<${Icon} name="user" />`} source=${found}
        value=${form.values.qui} onInput=${(qui) => form.set({ qui })} onChoose=${fill} required
        aria-invalid=${wrong ? 'true' : undefined} aria-describedby=${wrong ? 'visit-who-error' : undefined}>
        ${wrong && html`<p class="error" id="visit-who-error"><${Icon} name="alert" />${wrong}</p>`}
      <//>
      <div class="two">
        <${Field} of=${form} name="email" type="email" label=${t('email')} autocomplete="off" />
        <${Field} of=${form} name="telephone" type="tel" label=${t('phone')} required=${false} autocomplete="off" maxlength="40" />
      </div>
      ${start?.placesRestantes > 1 && html`
        <${Field} of=${form} name="places" type="number" min="1" max=${start.placesRestantes} label=${t('howMany')} />`}
      <${Field} of=${form} name="commentaire" label=${t('note')} required=${false} maxlength="2000" />
    <//>`;
}

/** Where the clicked time is too short for the service, or nothing is free that day. */
function TimeHint({ starts, start, wanted }) {
  if (starts.error) return t('offline');
  if (starts.waiting && !starts.value) return t('loading');
  if (!start) return t('nothingThatDay');
  const moved = wanted.debut && Date.parse(start.debut) !== Date.parse(wanted.debut);
  return moved ? t('nearestTime', { time: timeOf(wanted.debut) }) : capital(longDay(dayOf(start.debut)));
}

function wrongOf({ qui, email }) {
  const wrong = {};
  if (!qui.trim()) wrong.qui = t('fieldMissing');
  if (email.trim() && !EMAIL.test(email.trim())) wrong.email = t('fieldEmail');
  return wrong;
}

const labelOf = (one) => `${nameOf(one)} · ${one.email}`;

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether each word of the text begins a word of the name, or the address or number holds it. */
function matches(one, text) {
  const names = plain(`${one.prenom} ${one.nom} ${one.email}`).split(/[\s-]+/);
  const digits = text.replace(/\D/g, '');
  const called = digits.length > 2 && one.telephone.replace(/\D/g, '').includes(digits);
  return called || plain(text).split(/\s+/).every((word) => names.some((name) => name.startsWith(word)));
}

/** Those whose visits are the latest, each once. */
async function recent(id) {
  const visits = await get('api/reservations', { entreprise: id, recentes: 1, limite: 200 });
  return [...new Map(visits.map(({ client }) => [client.id, client])).values()];
}
