// /gestion/{id}/horaires: the week as it is normally, changed as a draft and saved as a whole.
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { get, request } from '../../api.js';
import { capital, weekdayName } from '../../dates.js';
import { Dialog } from '../../parts/dialog.js';
import { Form, useForm } from '../../parts/form.js';
import { Icon, Loaded, say, useLoad } from '../../parts/page.js';
import { t } from '../../texts.js';
import '../../texts/business.js';
import { Managed, pathOf } from './frame.js';
import { CopyDay, Opening } from './opening.js';
import { all, minuteOf } from './reading.js';
import { Stranded } from './stranded.js';

const DAYS = [1, 2, 3, 4, 5, 6, 7];
const by = (a, b) => a.jour - b.jour || a.debut.localeCompare(b.debut);

export default function View({ id }) {
  const path = pathOf(id);
  const week = useLoad(() => Promise.all([get(`${path}/semainetype`), all(`${path}/prestations`)]), [id]);
  return html`
    <${Managed} id=${id} page="horaires" lead=${t('hoursLead')}>${(entreprise, _changed, reload) => html`
      <${Loaded} from=${week} lines=${6}>${([rows, services]) => html`
        <${Draft} key=${entreprise.version} ...${{ entreprise, rows, services }} again=${() => { week.again(); reload(); }} />`}<//>`}<//>`;
}

/** Which of a day's openings overlap, for the API refuses them. */
const overlapping = (rows) => rows.some((one, n) => n && rows[n - 1].fin > one.debut);

function Draft({ entreprise, rows, services, again }) {
  const [draft, change] = useState([...rows].sort(by));
  const [open, show] = useState(null); // {row, opening}, {copy: day} or {save}
  const close = () => show(null);
  const of = (day) => draft.filter((one) => one.jour === day);
  const edited = JSON.stringify(draft) !== JSON.stringify([...rows].sort(by));
  const wrong = DAYS.filter((day) => overlapping(of(day)));
  const put = (opening) => {
    change([...draft.filter((one) => one !== open.row), ...(opening ? [opening] : [])].sort(by));
    close();
  };
  const copy = (from, days) => {
    change([...draft.filter((one) => !days.includes(one.jour)), ...days.flatMap((jour) => of(from).map((one) => ({ ...one, jour })))].sort(by));
    close();
  };
  const range = rangeOf(draft);
  return html`
    <table class="weekly card">
      <caption class="unseen">${t('pageHours')}</caption>
      <thead class="unseen"><tr><th scope="col">${t('day')}</th><th scope="col">${t('openings')}</th><th scope="col">${t('change')}</th></tr></thead>
      <tbody>
        ${DAYS.map((day) => html`
          <${DayRow} key=${day} ...${{ day, range, services }} rows=${of(day)} wrong=${wrong.includes(day)}
            onOpen=${(row) => show({ row, day })} onCopy=${() => show({ copy: day })} />`)}
      </tbody>
    </table>
    <div class="draft ${edited ? 'edited' : ''}" aria-live="polite">
      ${edited && html`
        <p>${t(wrong.length ? 'overlaps' : 'unsaved')}</p>
        <div class="row">
          <button type="button" class="main" disabled=${wrong.length > 0} onClick=${() => show({ save: true })}>${t('seeEffects')}</button>
          <button type="button" onClick=${() => change([...rows].sort(by))}>${t('undo')}</button>
        </div>`}
    </div>
    ${open?.day && html`
      <${Dialog} title=${`${capital(weekdayName(open.day))} : ${t(open.row ? 'changeOpening' : 'addOpeningHours').toLowerCase()}`} onClose=${close}>
        <${Opening} of=${open.row ?? nextOf(open.day, of(open.day))} services=${services} isNew=${!open.row} onDone=${put} />
      <//>`}
    ${open?.copy && html`<${CopyDay} day=${open.copy} onClose=${close} onDone=${(days) => copy(open.copy, days)} />`}
    ${open?.save && html`<${Save} ...${{ entreprise, draft, again }} onClose=${close} />`}`;
}

/** What a new opening of a day is proposed to be: after the last one, or a morning. */
function nextOf(jour, rows) {
  const last = rows.at(-1);
  const like = { pasMinutes: last?.pasMinutes ?? 15, capacite: last?.capacite ?? 1, prestationId: null };
  return last && last.fin < '17:00' ? { jour, debut: '14:00', fin: '18:00', ...like } : { jour, debut: '09:00', fin: '12:00', ...like };
}

function rangeOf(draft) {
  const [from, to] = [Math.min(480, ...draft.map((one) => minuteOf(one.debut))), Math.max(1200, ...draft.map((one) => minuteOf(one.fin)))];
  return { from: Math.floor(from / 120) * 120, to: Math.ceil(to / 120) * 120 };
}

function DayRow({ day, rows, range, services, wrong, onOpen, onCopy }) {
  const name = capital(weekdayName(day));
  const kept = (one) => services.find((service) => service.id === one.prestationId)?.nom;
  const place = (one) => ({
    '--from': (minuteOf(one.debut) - range.from) / (range.to - range.from), '--length': (minuteOf(one.fin) - minuteOf(one.debut)) / (range.to - range.from),
  });
  return html`
    <tr class=${wrong ? 'wrong' : ''}>
      <th scope="row">${name}</th>
      <td>
        <div class="bar" aria-hidden="true" style=${{ '--hours': (range.to - range.from) / 120 }}>${rows.map((one) => html`<i style=${place(one)} class=${one.prestationId ? 'kept' : ''} />`)}</div>
        <ul class="openings">
          ${rows.map((one) => html`
            <li><button type="button" class="small" onClick=${() => onOpen(one)}>
              <span class="unseen">${name}</span>${one.debut} – ${one.fin}
              <small>${t('everyMinutes', { n: one.pasMinutes })}${one.capacite > 1 && ` · ${t('places', { n: one.capacite })}`}${kept(one) && ` · ${kept(one)}`}</small>
            </button></li>`)}
          ${!rows.length && html`<li class="muted">${t('closed')}</li>`}
        </ul>
      </td>
      <td class="row">
        <button type="button" class="small" aria-label=${t('addOpeningOf', { day: name })} onClick=${() => onOpen(null)}><${Icon} name="plus" /></button>
        <button type="button" class="small" aria-label=${t('copyOf', { day: name })} onClick=${onCopy}><${Icon} name="copy" /></button>
      </td>
    </tr>`;
}

/** What the new week would do, then saving it: made to the version that was shown. */
function Save({ entreprise, draft, again, onClose }) {
  const send = (query) => request('PUT', `${pathOf(entreprise.id)}/semainetype`, {
    query, body: draft, headers: { 'If-Match': `"v${entreprise.version}"` },
  });
  const tried = useLoad(() => send({ essai: 1 }), []);
  const form = useForm({}, () => send(), {
    onDone: () => {
      onClose();
      again();
      say(t('saved'));
    },
  });
  const stale = tried.error?.status === 412;
  return html`
    <${Dialog} title=${t('newWeek')} onClose=${onClose}>
      ${stale
        ? html`<div class="note danger" role="alert"><p>${t('stale')}</p><button type="button" class="small" onClick=${() => { onClose(); again(); }}>${t('seePresent')}</button></div>`
        : html`<${Loaded} from=${tried}>${({ creneaux, reservationsTouchees }) => html`
          <p>${t('weekDoes', { added: creneaux.ajoutes, removed: creneaux.supprimes, kept: creneaux.conserves })}</p>
          <${Stranded} visits=${reservationsTouchees} />
          <${Form} of=${form} reload=${() => { onClose(); again(); }} action=${t('save')} aside=${html`<button type="button" onClick=${onClose}>${t('back')}</button>`} />`}<//>`}
    <//>`;
}
