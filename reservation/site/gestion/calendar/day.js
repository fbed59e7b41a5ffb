// /gestion/{id}/jour?jour=: the calendar of one day, with a column for
// each member of a team.
import { capital, isDay, nearDay, plusDays, today } from '../../dates.js';
import { setQuery } from '../../router.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Managed } from '../frame.js';
import { Calendar } from './calendar.js';

/** @import { ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */

/** @param {ViewProps} props */
export default function View({ id, query }) {
  return html`
    <${Managed} id=${id} page="jour">${(/** @type {Manage} */ { entreprise, team, staff }) => {
      const jour = query.get('jour');
      const day = isDay(jour) ? jour : today(entreprise.fuseau);
      /** @param {string} chosen */
      const onDay = (chosen) => setQuery({ jour: chosen });
      return html`
        <${Calendar} ...${{ entreprise, team }} first=${day} last=${day}
          split=${team.length > 0 && !staff} who=${staff}
          label=${capital(nearDay(day, entreprise.fuseau))}
          before=${{ label: t('previousDay'), go: () => onDay(plusDays(day, -1)) }}
          after=${{ label: t('nextDay'), go: () => onDay(plusDays(day, 1)) }}
          now=${() => onDay('')} onDay=${onDay} />`;
    }}<//>`;
}
