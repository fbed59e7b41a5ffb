// /gestion/{id}/semaine?semaine=: seven days of a business, from a Monday on.
import { html } from '../../vendor/htm-3.1.1.js';
import { isDay, plusDays, shortDay, today, weekday } from '../../dates.js';
import { setQuery } from '../../router.js';
import { t } from '../../texts.js';
import { Calendar } from './calendar.js';
import { Managed } from './frame.js';

const mondayOf = (day) => plusDays(day, 1 - weekday(day));

export default function View({ id, query }) {
  return html`
    <${Managed} id=${id} page="semaine">${(entreprise) => {
      const first = mondayOf(isDay(query.get('semaine')) ? query.get('semaine') : today(entreprise.fuseau));
      const last = plusDays(first, 6);
      const step = (n) => setQuery({ semaine: plusDays(first, n) });
      return html`
        <${Calendar} entreprise=${entreprise} first=${first} last=${last} label=${t('weekFrom', { from: shortDay(first), to: shortDay(last) })}
          before=${{ label: t('previousWeek'), go: () => step(-7) }} after=${{ label: t('nextWeek'), go: () => step(7) }}
          now=${() => setQuery({ semaine: '' })} onDay=${(chosen) => setQuery({ semaine: mondayOf(chosen) })} />`;
    }}<//>`;
}
