// /gestion/{id}/regles: what a business asks of bookings, in sentences, and what it says of itself.
import { html } from '../../vendor/htm-3.1.1.js';
import { put } from '../../api.js';
import { span } from '../../dates.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Icon, say } from '../../parts/page.js';
import { t } from '../../texts.js';
import '../../texts/business.js';
import { Managed, pathOf } from './frame.js';

const NOTICE = [0, 30, 60, 120, 240, 720, 1440, 2880, 4320, 10080];
const HORIZON = [7, 14, 30, 60, 90, 120, 180, 365, 730];
const DEADLINE = [0, 60, 120, 240, 720, 1440, 2880, 4320, 10080];
const REMINDER = [0, 1, 2, 4, 12, 24, 48, 72, 168];
const RULES = ['delaiReservation', 'horizonJours', 'delaiAnnulation', 'rappelHeures'];

export default function View({ id }) {
  return html`
    <${Managed} id=${id} page="regles" lead=${t('rulesLead')}>${(entreprise, changed, reload) => html`
      <${Rules} key=${`rules ${entreprise.version}`} ...${{ entreprise, changed, reload }} />
      <${About} key=${`about ${entreprise.version}`} ...${{ entreprise, changed, reload }} />`}<//>`;
}

/** Replaces the whole business, as the API does. */
function useBusiness({ entreprise, changed }, initial, valuesOf) {
  return useForm(initial, (values) => {
    const { id, proprietaireId, ...all } = entreprise;
    return put(pathOf(id), { ...all, ...valuesOf(values) });
  }, {
    onDone: (saved) => {
      changed(saved);
      say(t('saved'));
    },
  });
}

function Rules({ entreprise, changed, reload }) {
  const initial = Object.fromEntries(RULES.map((name) => [name, String(entreprise[name])]));
  const form = useBusiness({ entreprise, changed }, { ...initial, validationManuelle: entreprise.validationManuelle ? 'oui' : '' }, ({ validationManuelle, ...values }) => ({
    ...Object.fromEntries(RULES.map((name) => [name, Number(values[name])])), validationManuelle: Boolean(validationManuelle),
  }));
  const choose = (name, choices, told) => html`
    <${Field} of=${form} name=${name} as="select" label=${t(name)} hint=${t(`${name}Hint`)}>
      ${withOwn(choices, entreprise[name]).map((n) => html`<option value=${String(n)}>${told(n)}</option>`)}
    <//>`;
  const minutes = (none) => (n) => (n ? span(n) : t(none));
  return html`
    <section class="card stack" aria-labelledby="rules">
      <h2 id="rules">${t('rulesOfBooking')}</h2>
      <${Form} of=${form} action=${t('save')} reload=${reload}>
        ${choose('delaiReservation', NOTICE, minutes('untilStart'))}
        ${choose('horizonJours', HORIZON, (n) => span(n * 1440))}
        ${choose('delaiAnnulation', DEADLINE, minutes('untilStart'))}
        ${choose('rappelHeures', REMINDER, (n) => (n ? t('beforeVisit', { span: span(n * 60) }) : t('noReminder')))}
        <fieldset class="options">
          <legend>${t('approval')}</legend>
          ${['', 'oui'].map((value) => html`
            <label><input type="radio" name="validation" checked=${form.values.validationManuelle === value} onChange=${() => form.set({ validationManuelle: value })} />
              <span><b>${t(value ? 'approvalByHand' : 'approvalAtOnce')}</b><small>${t(value ? 'approvalByHandHelp' : 'approvalAtOnceHelp')}</small></span></label>`)}
        </fieldset>
        <div class="note"><${Icon} name="info" /><p>${inWords(form.values)}</p></div>
      <//>
    </section>`;
}

const withOwn = (choices, own) => [...new Set([...choices, own])].sort((a, b) => a - b);

/** The rules as customers live them. */
function inWords(values) {
  const [notice, horizon, deadline, reminder] = RULES.map((name) => Number(values[name]));
  return [
    t('sayNotice', { horizon: span(horizon * 1440), notice: notice ? t('beforeVisit', { span: span(notice) }) : t('untilStart').toLowerCase() }),
    t('sayDeadline', { deadline: deadline ? t('beforeVisit', { span: span(deadline) }) : t('untilStart').toLowerCase() }),
    t(values.validationManuelle ? 'sayApproval' : 'sayAtOnce'),
    reminder ? t('sayReminder', { span: span(reminder * 60) }) : t('sayNoReminder'),
  ].join(' ');
}

function About({ entreprise, changed, reload }) {
  const { nom, description, adresse, codePostal, ville, telephone, email, fuseau, actif } = entreprise;
  const form = useBusiness({ entreprise, changed }, { nom, description, adresse, codePostal, ville, telephone, email, fuseau, actif: actif ? 'oui' : '' }, (values) => ({ ...values, actif: Boolean(values.actif) }));
  const field = (name, others) => html`<${Field} of=${form} name=${name} required=${false} ...${others} />`;
  return html`
    <section class="card stack" aria-labelledby="about">
      <h2 id="about">${t('aboutBusiness')}</h2>
      <${Form} of=${form} action=${t('save')} reload=${reload}>
        ${field('nom', { label: t('businessName'), required: true, maxlength: 150 })}
        ${field('description', { label: t('description'), as: 'textarea', rows: 3, maxlength: 5000 })}
        ${field('adresse', { label: t('street'), maxlength: 200, autocomplete: 'street-address' })}
        <div class="two">
          ${field('codePostal', { label: t('postCode'), maxlength: 10, autocomplete: 'postal-code' })}
          ${field('ville', { label: t('city'), required: true, maxlength: 100, autocomplete: 'address-level2' })}
        </div>
        <div class="two">
          ${field('telephone', { label: t('phone'), type: 'tel', maxlength: 40, autocomplete: 'tel' })}
          ${field('email', { label: t('email'), type: 'email', autocomplete: 'email' })}
        </div>
        <${Field} of=${form} name="fuseau" as="select" label=${t('zone')} hint=${t('zoneHint')}>
          ${[...new Set([...Intl.supportedValuesOf('timeZone'), fuseau])].map((one) => html`<option value=${one}>${one.replaceAll('_', ' ')}</option>`)}
        <//>
        <label class="with-icon"><input type="checkbox" checked=${Boolean(form.values.actif)} onChange=${(event) => form.set({ actif: event.target.checked ? 'oui' : '' })} />${t('takesBookings')}</label>
      <//>
    </section>`;
}
