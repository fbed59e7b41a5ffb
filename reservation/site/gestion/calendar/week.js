// /gestion/{id}/semaine?semaine=&qui=: the calendar of a week, from Monday on, of the business or
// of one member of its team.
import { isDay, plusDays, shortDay, today, weekday } from '../../dates.js';
import { setQuery } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Managed } from '../frame.js';
import { TeamFilter } from '../team/members.js';
import { Calendar } from './calendar.js';

/** @import { ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */

/** @param {string} day */
const mondayOf = (day) => plusDays(day, 1 - weekday(day));

/** @param {ViewProps} props */
export default function View({ id, query }) {
  return html`
    <${Managed} id=${id} page="semaine">${(/** @type {Manage} */ { entreprise, team, staff }) => {
      const semaine = query.get('semaine');
      const first = mondayOf(isDay(semaine) ? semaine : today(entreprise.fuseau));
      const last = plusDays(first, 6);
      /** @param {string} day */
      const show = (day) => setQuery({ semaine: day });
      const who = staff ?? team.find(({ id: member }) => member === Number(query.get('qui')));
      const filter = !staff && html`<${TeamFilter} team=${team} value=${query.get('qui')} />`;
      return html`
        <${Calendar} ...${{ entreprise, team, who, filter }} first=${first} last=${last}
          label=${t('weekFrom', { from: shortDay(first), to: shortDay(last) })}
          before=${{ label: t('previousWeek'), go: () => show(plusDays(first, -7)) }}
          after=${{ label: t('nextWeek'), go: () => show(plusDays(first, 7)) }}
          now=${() => show('')}
          onDay=${(/** @type {string} */ day) => show(mondayOf(day))} />`;
    }}<//>`;
}
