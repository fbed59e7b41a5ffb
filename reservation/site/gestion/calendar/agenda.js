// /gestion/{id}/agenda?vue=&jour=&qui=: the calendar of a business, as a day, a week, a month or a
// list. The old paths /jour and /semaine work too.
import { capital, dayOf, isDay, nearDay, plusDays, shortDay, today, weekday } from '../../dates.js';
import { place, setQuery } from '../../router.js';
import { t } from '../../texts/calendar.js';
import { language } from '../../texts.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Managed } from '../frame.js';
import { TeamFilter } from '../team/members.js';
import { Calendar } from './calendar.js';
import { VIEWS } from './toolbar.js';

/** @import { ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */
/** @import { View } from './toolbar.js' */

/** @param {string} day */
const mondayOf = (day) => plusDays(day, 1 - weekday(day));

/** @param {string} day @param {number} n */
function plusMonths(day, n) {
  const first = new Date(`${day.slice(0, 7)}-01T12:00Z`);
  first.setUTCMonth(first.getUTCMonth() + n);
  return dayOf(first.toISOString());
}

/** Returns "novembre 2026". @param {string} day */
const monthOf = (day) =>
  new Intl.DateTimeFormat(language.get(), {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T12:00Z`));

/**
 * Returns the first and the last day of the view. `label` is the heading. The buttons "previous"
 * and "next" lead to the days `before` and `after`.
 * @param {View} vue
 * @param {string} day
 * @param {string} zone
 */
function daysOf(vue, day, zone) {
  if (vue === 'jour') {
    const label = capital(nearDay(day, zone));
    return { first: day, last: day, label, before: plusDays(day, -1), after: plusDays(day, 1) };
  }
  if (vue === 'mois') {
    const after = plusMonths(day, 1);
    const first = mondayOf(plusMonths(day, 0));
    const last = plusDays(mondayOf(plusDays(after, -1)), 6);
    return { first, last, label: capital(monthOf(day)), before: plusMonths(day, -1), after };
  }
  const first = mondayOf(day);
  const last = plusDays(first, 6);
  const label = t('weekFrom', { from: shortDay(first), to: shortDay(last) });
  return { first, last, label, before: plusDays(day, -7), after: plusDays(day, 7) };
}

/** @param {ViewProps} props */
export default function View({ id, query }) {
  return html`
    <${Managed} id=${id} page="agenda">${(/** @type {Manage} */ { entreprise, team, staff }) => {
      const older = place.get().path.endsWith('/semaine') ? 'semaine' : 'jour';
      const vue = VIEWS.find((one) => one === query.get('vue')) ?? older;
      const asked = query.get('jour') ?? query.get('semaine');
      const day = isDay(asked) ? asked : today(entreprise.fuseau);
      const split = vue === 'jour' && team.length > 0 && !staff;
      const who = split
        ? undefined
        : (staff ?? team.find(({ id: member }) => member === Number(query.get('qui'))));
      const filter =
        !staff && !split && html`<${TeamFilter} team=${team} value=${query.get('qui')} />`;
      return html`
        <${Calendar} ...${{ entreprise, team, staff, vue, day, split, who, filter }}
          ...${daysOf(vue, day, entreprise.fuseau)}
          show=${(/** @type {Record<string, string>} */ changes) => setQuery(changes)} />`;
    }}<//>`;
}
