// The period of the statistics. The owner chooses a period such as "This month", or two dates.
import { dayAndYear, firstOfMonth, isDay, plusDays, shortDay } from '../../dates.js';
import { words } from '../../formats.js';
import { setQuery } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @typedef {{ du: string, au: string }} Dates */

const YEAR = 365; // the last day is at most this many days after the first day

const PERIODS = /** @type {const} */ ([
  '7j',
  '30j',
  'suite',
  'mois',
  'mois-dernier',
  'annee',
  'annee-derniere',
  'dates',
]);
/** @typedef {typeof PERIODS[number]} Period */

/**
 * Returns the first and the last day of a month, relative to the month of `day`.
 * @param {string} day
 * @param {number} months
 * @returns {Dates}
 */
const month = (day, months) => ({
  du: firstOfMonth(day, months),
  au: plusDays(firstOfMonth(day, months + 1), -1),
});

/** @type {Record<Exclude<Period, 'dates'>, (now: string) => Dates>} */
const DATES = {
  '7j': (now) => ({ du: plusDays(now, -6), au: now }),
  '30j': (now) => ({ du: plusDays(now, -29), au: now }),
  suite: (now) => ({ du: now, au: plusDays(now, 29) }),
  mois: (now) => month(now, 0),
  'mois-dernier': (now) => month(now, -1),
  annee: (now) => ({ du: `${now.slice(0, 4)}-01-01`, au: `${now.slice(0, 4)}-12-31` }),
  'annee-derniere': (now) => {
    const year = Number(now.slice(0, 4)) - 1;
    return { du: `${year}-01-01`, au: `${year}-12-31` };
  },
};

/**
 * Returns the period that the query string of the URL selects, by default the last 30 days.
 * @param {URLSearchParams} query
 * @param {string} now today in the time zone of the business
 * @returns {{ period: Period } & Dates}
 */
export function periodOf(query, now) {
  const period = PERIODS.find((one) => one === query.get('periode')) ?? '30j';
  if (period !== 'dates') return { period, ...DATES[period](now) };
  const [du, au] = [query.get('du'), query.get('au')];
  const first = isDay(du) ? du : DATES['30j'](now).du;
  return { period, du: first, au: isDay(au) && au >= first ? au : first };
}

/** @param {{ period: Period } & Dates} props */
export function PeriodChoice({ period, du, au }) {
  /** @param {{ target: HTMLSelectElement }} event */
  const choose = ({ target: { value } }) =>
    setQuery(value === 'dates' ? { periode: value, du, au } : { periode: value, du: '', au: '' });
  /**
   * Sets the first or the last day of the period. If the new period is too long or ends before it
   * starts, the other day moves too.
   * @param {'du' | 'au'} name
   * @param {string} day
   */
  const setDay = (name, day) => {
    if (!isDay(day)) return;
    const last = plusDays(day, YEAR);
    const first = plusDays(day, -YEAR);
    if (name === 'du') setQuery({ du: day, au: au < day ? day : au > last ? last : au });
    else setQuery({ du: du > day ? day : du < first ? first : du, au: day });
  };
  /** @param {'du' | 'au'} name @param {string} label @param {string} value */
  const date = (name, label, value) => html`
    <label class="filter labelled">
      <span>${label}</span>
      <input type="date" value=${value}
        onChange=${(/** @type {{ target: HTMLInputElement }} */ { target }) =>
          setDay(name, target.value)} />
    </label>`;
  return html`
    <label class="filter">
      <span class="unseen">${t('period')}</span>
      <select value=${period} onChange=${choose}>
        ${PERIODS.map((one) => html`<option value=${one}>${t(`period_${one}`)}</option>`)}
      </select>
    </label>
    ${period === 'dates' && date('du', t('datesFrom'), du)}
    ${period === 'dates' && date('au', t('datesTo'), au)}`;
}

/** Returns a month such as "nov. 2026". @param {string} day */
const monthOf = (day) => words(new Date(`${day}T12:00Z`), { month: 'short', year: 'numeric' });

/** @param {Dates[]} intervals */
export function unitOf(intervals) {
  if (intervals.every(({ du, au }) => du === au)) return 'jour';
  return intervals.every(({ du, au }) => plusDays(du, 6) >= au) ? 'semaine' : 'mois';
}

/** @param {Dates} interval @param {'jour' | 'semaine' | 'mois'} unit */
export const labelOf = ({ du }, unit) => (unit === 'mois' ? monthOf(du) : shortDay(du));

/** Returns dates such as "24 oct. – 22 nov. 2026". @param {Dates} dates */
export const datesOf = ({ du, au }) => {
  const from = (du.slice(0, 4) === au.slice(0, 4) ? shortDay : dayAndYear)(du);
  const to = dayAndYear(au);
  return du === au ? to : t('datesBetween', { from, to });
};
