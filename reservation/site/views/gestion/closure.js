// A closure, an extra opening or a happening: the form, what it would do, then saving it.
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { post, put } from '../../api.js';
import { dayOf, plusDays, timeOf, today } from '../../dates.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { t } from '../../texts.js';
import { pathOf } from './frame.js';
import { instantAt } from './reading.js';
import { Stranded } from './stranded.js';

export const NEW = Object.fromEntries(['fermeture', 'ouverture', 'information'].map((type) => [type, { type }]));
const TITLES = { fermeture: 'addClosure', ouverture: 'addOpening', information: 'addHappening' };

/** As people write it: the days and hours of the clock of the business; whole days have none. */
function typed(of, zone) {
  const day = today(zone);
  if (!of.id) {
    return { titre: '', description: '', from: day, to: day, start: '', end: '', pasMinutes: '30', capacite: '1' };
  }
  const midnight = timeOf(of.fin) === '00:00';
  return {
    titre: of.titre, description: of.description, from: dayOf(of.debut), to: midnight ? plusDays(dayOf(of.fin), -1) : dayOf(of.fin),
    start: timeOf(of.debut) === '00:00' ? '' : timeOf(of.debut), end: midnight ? '' : timeOf(of.fin),
    pasMinutes: of.pasMinutes ?? '30', capacite: of.capacite ?? '1',
  };
}

function bodyOf({ type, version }, values, zone) {
  const { titre, description, from, to, start, end } = values;
  const opens = type === 'ouverture';
  return {
    type, titre, description, version,
    debut: instantAt(zone, `${from}T${start || '00:00'}`),
    fin: instantAt(zone, end ? `${to}T${end}` : `${plusDays(to, 1)}T00:00`),
    pasMinutes: opens ? Number(values.pasMinutes) : null, capacite: opens ? Number(values.capacite) : null,
  };
}

export function Closure({ of, entreprise, onClose, onDone, reload }) {
  const [tried, show] = useState(null); // {body, visits}: what saving would do
  const save = (body, query) => (of.id
    ? put(`api/evenements/${of.id}`, body, query) : post(`${pathOf(entreprise.id)}/evenements`, body, query));
  const form = useForm(typed(of, entreprise.fuseau), async (values) => {
    const body = bodyOf(of, values, entreprise.fuseau);
    if (of.type === 'information') return save(body);
    const { reservationsTouchees } = await save(body, { essai: 1 });
    return { body, visits: reservationsTouchees };
  }, {
    names: { debut: 'from', fin: 'to' },
    check: ({ from, to, start, end }) => (`${to}T${end || '24:00'}` <= `${from}T${start || '00:00'}` ? { to: t('endsBeforeStart') } : {}),
    onDone: (result) => (result.body ? show(result) : onDone()),
  });
  return html`
    <${Dialog} title=${of.id ? t('changeOf', { name: of.titre }) : t(TITLES[of.type])} onClose=${onClose}>
      ${tried
        ? html`<${Sure} ...${tried} told=${of.type === 'fermeture'} save=${() => save(tried.body)} onDone=${onDone} onBack=${() => show(null)} reload=${reload} />`
        : html`<${Dates} form=${form} type=${of.type} reload=${reload} />`}
    <//>`;
}

function Dates({ form, type, reload }) {
  const hours = type === 'ouverture';
  const whole = hours ? undefined : t('wholeDayHint');
  return html`
    <${Form} of=${form} reload=${reload} action=${type === 'information' ? t('save') : t('seeEffects')}>
      <${Field} of=${form} name="titre" label=${t('eventTitle')} hint=${t(`titleHint_${type}`)} maxlength="150" />
      <div class="two">
        <${Field} of=${form} name="from" type="date" label=${t('firstDay')} />
        <${Field} of=${form} name="start" type="time" label=${t('fromTime')} required=${hours} hint=${whole} />
      </div>
      <div class="two">
        <${Field} of=${form} name="to" type="date" label=${t('lastDay')} />
        <${Field} of=${form} name="end" type="time" label=${t('toTime')} required=${hours} />
      </div>
      ${hours && html`
        <div class="two">
          <${Field} of=${form} name="pasMinutes" type="number" min="5" max="1440" label=${t('grain')} />
          <${Field} of=${form} name="capacite" type="number" min="1" max="10000" label=${t('placesAtOnce')} />
        </div>`}
      <${Field} of=${form} name="description" as="textarea" rows="2" label=${t('eventDescription')} required=${false} maxlength="5000" />
    <//>`;
}

function Sure({ visits, told, save, onDone, onBack, reload }) {
  const form = useForm({}, save, { onDone });
  return html`
    <${Stranded} visits=${visits} told=${told} />
    <${Form} of=${form} reload=${reload} action=${t('save')} aside=${html`<button type="button" onClick=${onBack}>${t('back')}</button>`} />`;
}
