// /gestion/{id}/fermetures: the dates that are not as the week says, and the year's holidays.
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { remove } from '../../api.js';
import { capital, dayOf, longDay, plusDays, timeOf, today } from '../../dates.js';
import { Dialog } from '../../parts/dialog.js';
import { Form, useForm } from '../../parts/form.js';
import { Icon, Loaded, say, useLoad } from '../../parts/page.js';
import { t } from '../../texts.js';
import '../../texts/business.js';
import { Closure, NEW } from './closure.js';
import { Managed, pathOf } from './frame.js';
import { Holidays } from './holidays.js';
import { all } from './reading.js';

const TONES = { fermeture: ['fermeture', 'danger'], ouverture: ['ouverture', 'good'], information: ['happening', ''] };

export default function View({ id }) {
  return html`
    <${Managed} id=${id} page="fermetures" lead=${t('closuresLead')}>${(entreprise) => html`<${List} entreprise=${entreprise} />`}<//>`;
}

function List({ entreprise }) {
  const events = useLoad(() => all(`${pathOf(entreprise.id)}/evenements`, { du: today(entreprise.fuseau) }), [entreprise.id]);
  const [open, show] = useState(null); // {type} of a new one, an event, {holidays} or {remove}
  const close = () => show(null);
  const done = (key) => () => {
    close();
    events.again();
    say(t(key));
  };
  const button = (of, icon, key, main = '') => html`<button type="button" class=${main} onClick=${() => show(of)}><${Icon} name=${icon} />${t(key)}</button>`;
  return html`
    <div class="actions">
      ${button(NEW.fermeture, 'closed', 'addClosure', 'main')}${button(NEW.ouverture, 'plus', 'addOpening')}
      ${button(NEW.information, 'info', 'addHappening')}${button({ holidays: true }, 'calendar', 'closeHolidays')}
    </div>
    <${Loaded} from=${events}>${(found) => (found.length
      ? html`<ul class="stack">${found.map((one) => html`
          <li key=${one.id}><${Card} of=${one} onEdit=${() => show(one)} onRemove=${() => show({ remove: one })} /></li>`)}</ul>`
      : html`<div class="empty"><p>${t('noClosures')}</p></div>`)}<//>
    ${open?.holidays && html`<${Holidays} entreprise=${entreprise} onClose=${close} onDone=${done('holidaysClosed')} />`}
    ${open?.remove && html`<${Remove} of=${open.remove} onClose=${close} onDone=${done('eventRemoved')} />`}
    ${open?.type && html`<${Closure} of=${open} entreprise=${entreprise} onClose=${close} onDone=${done('saved')} reload=${() => { close(); events.again(); }} />`}`;
}

/** "du lundi 3 août au …", by the clock of the business. */
function span({ debut, fin }) {
  const last = timeOf(fin) === '00:00' ? plusDays(dayOf(fin), -1) : dayOf(fin);
  const whole = timeOf(debut) === '00:00' && timeOf(fin) === '00:00';
  if (dayOf(debut) === last) return whole ? longDay(last) : t('onDayBetween', { day: longDay(last), from: timeOf(debut), to: timeOf(fin) === '00:00' ? '24:00' : timeOf(fin) });
  const at = (day, time) => (whole ? longDay(day) : t('dayAtTime', { day: longDay(day), time }));
  return t('betweenDays', { from: at(dayOf(debut), timeOf(debut)), to: at(whole ? last : dayOf(fin), timeOf(fin)) });
}

function Card({ of, onEdit, onRemove }) {
  const [label, tone] = TONES[of.type];
  return html`
    <article class="card spread">
      <div class="stack tight grow">
        <div class="row"><h2>${of.titre}</h2><span class="badge ${tone}">${t(label)}</span></div>
        <p class="muted">${capital(span(of))}${of.capacite > 1 && ` · ${t('places', { n: of.capacite })}`}</p>
        ${of.description && html`<p class="small">${of.description}</p>`}
      </div>
      <div class="row">
        <button type="button" class="small" aria-label=${t('changeOf', { name: of.titre })} onClick=${onEdit}><${Icon} name="edit" />${t('change')}</button>
        <button type="button" class="small danger" aria-label=${t('removeOf', { name: of.titre })} onClick=${onRemove}>${t('remove')}</button>
      </div>
    </article>`;
}

function Remove({ of, onClose, onDone }) {
  const form = useForm({}, () => remove(`api/evenements/${of.id}`), { onDone });
  return html`
    <${Dialog} title=${t('removeSure', { name: of.titre })} onClose=${onClose}>
      <p>${t(of.type === 'fermeture' ? 'removeClosureHelp' : of.type === 'ouverture' ? 'removeOpeningHelp' : 'removeHappeningHelp')}</p>
      <${Form} of=${form} danger action=${t('removeYes')} aside=${html`<button type="button" onClick=${onClose}>${t('back')}</button>`} />
    <//>`;
}
