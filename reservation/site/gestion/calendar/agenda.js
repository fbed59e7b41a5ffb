// /gestion/{id}/agenda?vue=&jour=&qui=: the calendar of a business, as a day, a week, a month or a
// list. Older links to /gestion/{id}/jour and /gestion/{id}/semaine lead to this page.
import {
  capital,
  firstOfMonth,
  isDay,
  monthName,
  nearDay,
  plusDays,
  possible,
  shortDate,
  today,
  weekday,
} from '../../dates.js';
import { place } from '../../router.js';
import { t } from '../../texts/calendar.js';
import { html, useEffect, useState } from '../../vendor/htm-3.1.1.js';
import { Managed } from '../frame.js';
import { TeamFilter } from '../team/members.js';
import { loadBoard } from './board/loading.js';
import { Calendar } from './calendar.js';
import { useRefresh } from './refresh.js';
import { VIEWS } from './toolbar.js';

/** @import { ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */
/** @import { View } from './toolbar.js' */

/** @param {string} day */
const mondayOf = (day) => plusDays(day, 1 - weekday(day));

/**
 * Returns the first and the last day of the view, the heading (`label`), and the days to which the
 * buttons "previous" and "next" lead (`before` and `after`).
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
    const after = firstOfMonth(day, 1);
    const first = mondayOf(firstOfMonth(day));
    const last = plusDays(mondayOf(plusDays(after, -1)), 6);
    return { first, last, label: monthName(day), before: firstOfMonth(day, -1), after };
  }
  const first = mondayOf(day);
  const last = plusDays(first, 6);
  const label = t('weekFrom', { from: shortDate(first), to: shortDate(last) });
  return { first, last, label, before: plusDays(day, -7), after: plusDays(day, 7) };
}

/** Limits the days to the range that the API accepts. @param {ReturnType<typeof daysOf>} days */
const clamped = ({ label, first, last, before, after }) => ({
  label,
  first: possible(first),
  last: possible(last),
  before: possible(before),
  after: possible(after),
});

/** @param {ViewProps} props */
export default function View({ id, query }) {
  const older = place.get().path.endsWith('/semaine') ? 'semaine' : 'jour';
  const vue = VIEWS.find((one) => one === query.get('vue')) ?? older;
  useEffect(() => {
    if (vue !== 'liste') loadBoard(vue).catch(() => {}); // early, while the business is read
  }, []);
  return html`
    <${Managed} id=${id} page="agenda">${(/** @type {Manage} */ manage) => html`
      <${Agenda} ...${{ ...manage, vue, query }} />`}<//>`;
}

/** @param {Manage & { vue: View, query: URLSearchParams }} props */
function Agenda({ entreprise, team, staff, reload, vue, query }) {
  const now = today(entreprise.fuseau);
  const [, setNow] = useState(now); // draws the calendar again when the next day begins
  useRefresh(async () => today(entreprise.fuseau), setNow, [entreprise.fuseau]);
  const asked = query.get('jour') ?? query.get('semaine');
  const day = isDay(asked) ? asked : now;
  const split = vue === 'jour' && team.length > 0 && !staff;
  const who = split
    ? undefined
    : (staff ?? team.find(({ id: member }) => member === Number(query.get('qui'))));
  const filter = !staff && !split && html`<${TeamFilter} team=${team} value=${query.get('qui')} />`;
  return html`
    <${Calendar} ...${{ entreprise, team, staff, reload, vue, day, split, who, filter }}
      ...${clamped(daysOf(vue, day, entreprise.fuseau))} />`;
}
