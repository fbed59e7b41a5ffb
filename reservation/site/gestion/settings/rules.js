// /gestion/{id}/regles: the booking rules of a business, as fields and as sentences.
import { span } from '../../dates.js';
import { Field, Form } from '../../parts/form.js';
import { Note } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { withOwn } from '../choices.js';
import { Managed } from '../frame.js';
import { useBusiness } from './business.js';

/** @import { ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */

// Units: days for `horizonJours`, hours for `rappelHeures`, minutes for the other rules.
const CHOICES = {
  delaiReservation: [0, 30, 60, 120, 240, 720, 1440, 2880, 4320, 10080],
  horizonJours: [7, 14, 30, 60, 90, 120, 180, 365, 730],
  delaiAnnulation: [0, 60, 120, 240, 720, 1440, 2880, 4320, 10080],
  rappelHeures: [0, 1, 2, 4, 12, 24, 48, 72, 168],
};

/** @typedef {keyof typeof CHOICES} Rule */
/** @typedef {Record<Rule | 'maxAVenir' | 'validationManuelle', string>} RuleValues */

/** @param {ViewProps} props */
export default function View({ id }) {
  return html`
    <${Managed} id=${id} page="regles" lead=${t('rulesLead')}>${(
      /** @type {Manage} */ manage,
    ) => html`
      <${Rules} key=${manage.entreprise.version} ...${manage} />`}<//>`;
}

/** @param {Manage} manage */
function Rules(manage) {
  const { entreprise, reload } = manage;
  const { delaiReservation, horizonJours, delaiAnnulation, rappelHeures, maxAVenir } = entreprise;
  const initial = {
    delaiReservation: String(delaiReservation),
    horizonJours: String(horizonJours),
    delaiAnnulation: String(delaiAnnulation),
    rappelHeures: String(rappelHeures),
    maxAVenir: String(maxAVenir ?? ''),
    validationManuelle: entreprise.validationManuelle ? 'oui' : '',
  };
  const form = useBusiness(manage, initial, ({ validationManuelle, maxAVenir, ...values }) => ({
    ...Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)])),
    validationManuelle: Boolean(validationManuelle),
    maxAVenir: maxAVenir ? Number(maxAVenir) : null,
  }));
  /** @param {Rule} name @param {(n: number) => string} label */
  const choose = (name, label) => html`
    <${Field} name=${name} as="select" label=${t(name)} hint=${t(`${name}Hint`)}>
      ${withOwn(CHOICES[name], entreprise[name]).map(
        (n) => html`
        <option value=${String(n)}>${label(n)}</option>`,
      )}
    <//>`;
  return html`
    <section class="card stack" aria-labelledby="rules">
      <h2 id="rules">${t('rulesOfBooking')}</h2>
      <${Form} form=${form} action=${t('save')} reload=${reload}>
        ${choose('delaiReservation', notice)}
        ${choose('horizonJours', (n) => span(n * 1440))}
        ${choose('delaiAnnulation', notice)}
        <${Upcoming} />
        ${choose('rappelHeures', (n) => (n ? notice(n * 60) : t('noReminder')))}
        <fieldset class="options">
          <legend>${t('approval')}</legend>
          <${Approval} form=${form} value="" label=${t('approvalAtOnce')}
            help=${t('approvalAtOnceHelp')} />
          <${Approval} form=${form} value="oui" label=${t('approvalByHand')}
            help=${t('approvalByHandHelp')} />
        </fieldset>
        <${Note} icon="info">${inWords(form.values)}<//>
      <//>
    </section>`;
}

/** @param {number} minutes before the booking */
const notice = (minutes) =>
  minutes ? t('beforeBooking', { span: span(minutes) }) : t('untilStart');

/**
 * @param {{ form: import('../../parts/form.js').FormState, value: string, label: string,
 *   help: string }} props
 */
const Approval = ({ form, value, label, help }) => html`
  <label>
    <input type="radio" name="validation" checked=${form.values.validationManuelle === value}
      onChange=${() => form.set({ validationManuelle: value })} />
    <span><b>${label}</b><small>${help}</small></span>
  </label>`;

/** The field for the maximum number of upcoming bookings per customer. */
export const Upcoming = () => html`
  <${Field} name="maxAVenir" type="number" min="1" max="1000" required=${false}
    label=${t('maxAVenir')} hint=${t('maxAVenirHint')} />`;

/** @param {RuleValues} values */
function inWords(values) {
  const minutes = Number(values.delaiReservation);
  const deadline = Number(values.delaiAnnulation);
  const hours = Number(values.rappelHeures);
  const horizon = span(Number(values.horizonJours) * 1440);
  return [
    minutes
      ? t('sayNotice', { horizon, notice: notice(minutes) })
      : t('sayNoticeNone', { horizon }),
    ...(values.maxAVenir ? [t('sayUpcoming', { n: values.maxAVenir })] : []),
    deadline ? t('sayDeadline', { deadline: notice(deadline) }) : t('sayDeadlineNone'),
    values.validationManuelle ? t('sayApproval') : t('sayAtOnce'),
    hours ? t('sayReminder', { span: span(hours * 60) }) : t('sayNoReminder'),
  ].join(' ');
}
