// Opening a business in three steps: what it is, a first service, when it is open.
import { html, useEffect, useRef, useState } from '../../vendor/htm-3.1.1.js';
import { post, put, session } from '../../api.js';
import { capital, weekdayName } from '../../dates.js';
import { Combobox } from '../../parts/combobox.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Icon, Page, say } from '../../parts/page.js';
import { go } from '../../router.js';
import { t } from '../../texts.js';
import { pathOf } from './frame.js';

const STEPS = ['stepBusiness', 'stepService', 'stepHours'];

export function Start({ onBack }) {
  const [made, keep] = useState(null);
  const [step, next] = useState(0);
  const heading = useRef();
  useEffect(() => { if (step) heading.current.focus(); }, [step]);
  const finish = () => {
    go(`gestion/${made.id}/jour`, { replace: true });
    say(t('businessReady', { name: made.nom }));
  };
  return html`
    <${Page} title=${t('openBusiness')} lead=${t('openBusinessLead')} size="narrow">
      <ol class="steps">${STEPS.map((key, n) => html`<li class=${n < step ? 'done' : ''} aria-current=${n === step && 'step'}><span>${n + 1}</span>${t(key)}</li>`)}</ol>
      <section class="card stack">
        <h2 ref=${heading} tabindex="-1">${t(STEPS[step])}</h2>
        ${step === 0 && html`<${Business} onDone=${(one) => { keep(one); next(1); }} onBack=${onBack} />`}
        ${step === 1 && html`<${Service} path=${`${pathOf(made.id)}/prestations`} onDone=${() => next(2)} />`}
        ${step === 2 && html`<${Hours} path=${`${pathOf(made.id)}/semainetype`} onDone=${finish} />`}
      </section>
    <//>`;
}

function Business({ onDone, onBack }) {
  const fuseau = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const form = useForm({ nom: '', adresse: '', codePostal: '', ville: '', telephone: '', email: session().user.email }, (values) => post('api/entreprises', { ...values, fuseau }), {
    onDone, check: ({ ville }) => (ville.trim() ? {} : { ville: t('fieldMissing') }),
  });
  const wrong = form.wrong.ville;
  return html`
    <${Form} of=${form} action=${t('goOn')} aside=${onBack && html`<button type="button" onClick=${onBack}>${t('back')}</button>`}>
      <${Field} of=${form} name="nom" label=${t('businessName')} maxlength="150" autocomplete="organization" />
      <${Field} of=${form} name="adresse" label=${t('street')} required=${false} maxlength="200" autocomplete="street-address" />
      <div class="two">
        <${Field} of=${form} name="codePostal" label=${t('postCode')} required=${false} maxlength="10" autocomplete="postal-code" />
        <${Combobox} id="start-city" name="ville" label=${t('city')} source="api/villes" value=${form.values.ville} required
          onInput=${(ville) => form.set({ ville: ville.replace(/ \(\d[\dAB]\d?\)$/, '') })}
          aria-invalid=${wrong ? 'true' : undefined} aria-describedby=${wrong ? 'start-city-error' : undefined}>
          ${wrong && html`<p class="error" id="start-city-error"><${Icon} name="alert" />${wrong}</p>`}
        <//>
      </div>
      <div class="two">
        <${Field} of=${form} name="telephone" type="tel" label=${t('phone')} required=${false} maxlength="40" autocomplete="tel" />
        <${Field} of=${form} name="email" type="email" label=${t('email')} required=${false} autocomplete="email" />
      </div>
    <//>`;
}

function Service({ path, onDone }) {
  const form = useForm({ nom: '', dureeMinutes: '30', prix: '' }, ({ nom, dureeMinutes, prix }) => post(path, {
    nom, dureeMinutes: Number(dureeMinutes), prixCentimes: prix ? Math.round(Number(prix) * 100) : 0,
  }), { onDone, names: { prixCentimes: 'prix' } });
  return html`
    <p class="muted">${t('moreLater')}</p>
    <${Form} of=${form} action=${t('goOn')}>
      <${Field} of=${form} name="nom" label=${t('serviceName')} maxlength="150" />
      <div class="two">
        <${Field} of=${form} name="dureeMinutes" type="number" min="1" label=${t('lengthMinutes')} />
        <${Field} of=${form} name="prix" type="number" min="0" step="0.01" label=${t('priceEuros')} required=${false} />
      </div>
    <//>`;
}

function Hours({ path, onDone }) {
  const [days, choose] = useState([1, 2, 3, 4, 5]);
  const form = useForm({ debut: '09:00', midi: '12:00', reprise: '14:00', fin: '18:00' }, ({ debut, midi, reprise, fin }) => {
    const stretches = midi && reprise ? [[debut, midi], [reprise, fin]] : [[debut, fin]];
    return put(path, days.flatMap((jour) => stretches.map(([from, to]) => ({ jour, debut: from, fin: to, pasMinutes: 15, capacite: 1 }))));
  }, {
    onDone,
    check: ({ debut, midi, reprise, fin }) => {
      const order = [debut, midi, reprise, fin].filter(Boolean);
      return order.every((time, n) => !n || order[n - 1] < time) ? {} : { fin: t('endsBeforeStart') };
    },
  });
  const toggle = (day) => choose(days.includes(day) ? days.filter((one) => one !== day) : [...days, day]);
  const time = (name, label, required = true) => html`<${Field} of=${form} name=${name} type="time" label=${t(label)} required=${required} />`;
  return html`
    <p class="muted">${t('moreLater')}</p>
    <${Form} of=${form} action=${t('finish')}>
      <fieldset class="pills"><legend>${t('openDays')}</legend>
        ${[1, 2, 3, 4, 5, 6, 7].map((day) => html`<label><input type="checkbox" checked=${days.includes(day)} onChange=${() => toggle(day)} /><span>${capital(weekdayName(day))}</span></label>`)}
      </fieldset>
      <div class="two">${time('debut', 'opensAt')}${time('fin', 'closesAt')}</div>
      <div class="two">${time('midi', 'breakFrom', false)}${time('reprise', 'breakTo', false)}</div>
    <//>`;
}
