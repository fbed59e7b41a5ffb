// /entreprises/{id}/reserver?prestation=&creneau=&jour=: who one is, then the confirmation. A time
// that was clicked is known already; one whose address was opened is read anew.
import { html, useEffect, useRef } from '../vendor/htm-3.1.1.js';
import { get, known, recall, remember, useSession } from '../api.js';
import { postOnce } from '../attempts.js';
import { clockIn, dateTime, dayOf, isDay } from '../dates.js';
import { Field, Form, useForm } from '../parts/form.js';
import { Icon, Loaded, Page, useLoad } from '../parts/page.js';
import { SignInOrRegister } from '../parts/signin.js';
import { Summary } from '../parts/summary.js';
import { Alternatives } from '../parts/times.js';
import { address, go } from '../router.js';
import { t } from '../texts.js';
import '../texts/booking.js';

/** {entreprise, prestation, start} of the address; `refusal` where the time cannot be had. */
async function choiceOf(id, query) {
  const [service, creneau] = ['prestation', 'creneau'].map((name) => Number(query.get(name)));
  const clicked = recall('chosen');
  if (clicked?.start.id === creneau && clicked.prestation.id === service) return clicked;
  const path = `api/entreprises/${id}`;
  const day = isDay(query.get('jour')) ? query.get('jour') : undefined;
  const [entreprise, prestation, starts] = await Promise.all([
    known(path), get(`api/prestations/${service}`), get(`${path}/creneaux`, { prestation: service, du: day, au: day, tous: 1 }),
  ]);
  const start = starts.find((one) => one.id === creneau);
  if (start && !start.motif) return { entreprise, prestation, start };
  const away = (one) => Math.abs(Date.parse(one.debut) - Date.parse(start?.debut ?? one.debut));
  const free = starts.filter((one) => !one.motif).sort((a, b) => away(a) - away(b)).slice(0, 3);
  return { entreprise, prestation, refusal: { body: { motif: start?.motif, alternatives: free } } };
}

export default function View({ id, query }) {
  const choice = useLoad(() => choiceOf(id, query), [id, query.get('prestation'), query.get('creneau')]);
  return html`
    <${Loaded} from=${choice} whole>${(chosen) => html`
      <${Page} title=${t('bookTitle')}>
        ${chosen.start ? html`<${Chosen} ...${chosen} />` : html`<${Gone} ...${chosen} />`}
      <//>`}<//>`;
}

const weekOf = (entreprise, prestation, start) => address(
  `entreprises/${entreprise.id}`,
  { prestation: prestation.id, semaine: start && dayOf(start.debut) },
);

const Gone = ({ entreprise, prestation, refusal }) => html`
  <${Alternatives} ...${{ refusal, entreprise, prestation }} />
  <a href=${weekOf(entreprise, prestation)}>${t('seeWholeWeek')}</a>`;

function Chosen({ entreprise, prestation, start }) {
  const signedIn = useSession();
  const step = useRef();
  const before = useRef(signedIn);
  useEffect(() => {
    if (signedIn && !before.current) step.current.focus(); // the form that had the focus is gone
    before.current = signedIn;
  }, [signedIn]);
  const change = html`<a href=${weekOf(entreprise, prestation, start)}>${t('change')}</a>`;
  return html`
    <section class="card"><${Summary} ...${{ entreprise, prestation, aside: change }} debut=${start.debut} /></section>
    <section class="card stack">
      <h2 ref=${step} tabindex="-1">${t(signedIn ? 'stepConfirm' : 'stepWho')}</h2>
      ${signedIn
        ? html`<${Confirm} ...${{ entreprise, prestation, start, user: signedIn.user }} />`
        : html`<p class="muted">${t('choiceKept')}</p><${SignInOrRegister} onDone=${() => {}} />`}
    </section>`;
}

function Confirm({ entreprise, prestation, start, user }) {
  const send = ({ commentaire, places }) => postOnce('api/reservations', {
    creneauId: start.id, prestationId: prestation.id, places: Number(places), commentaire,
  });
  const form = useForm({ commentaire: '', places: '1' }, send, {
    unsure: t('lostAnswer'),
    onDone: (made) => {
      remember(`api/reservations/${made.id}`, made);
      remember(`api/entreprises/${entreprise.id}`, entreprise);
      go(`reservations/${made.id}?nouvelle=1`, { replace: true });
    },
  });
  useEffect(form.clear, [start.id]); // another time was chosen: what was said of the first is over
  const lost = form.trouble?.error.status === 409 && form.trouble.error;
  const choices = Math.min(start.placesRestantes, 10);
  const name = `${user.first_name} ${user.last_name}`.trim();
  return html`
    ${lost && html`<${Alternatives} refusal=${lost} entreprise=${entreprise} prestation=${prestation} />`}
    <p class="with-icon"><${Icon} name="user" /><span>${t('bookedAs', { name, email: user.email })}</span></p>
    <${Form} of=${form} action=${t(entreprise.validationManuelle ? 'askFor' : 'confirm')}>
      ${choices > 1 && html`
        <${Field} of=${form} name="places" label=${t('howMany')} as="select">
          ${Array.from({ length: choices }, (_, n) => html`<option value=${String(n + 1)}>${n + 1}</option>`)}
        <//>`}
      <${Field} of=${form} name="commentaire" label=${t('comment')} as="textarea" required=${false} maxlength="2000" />
      <${Rule} of=${entreprise} debut=${start.debut} />
    <//>`;
}

/** Until when it can be undone; nothing where that is over already. */
function Rule({ of, debut }) {
  const until = Date.parse(debut) - of.delaiAnnulation * 60_000;
  return until > Date.now() && html`<p class="hint">${t('until', { when: dateTime(clockIn(of.fuseau, until)) })}</p>`;
}
