// /gestion/{id}/jour?jour=: one day of a business, what waits for an answer first.
import { html } from '../../vendor/htm-3.1.1.js';
import { capital, isDay, nearDay, plusDays, today } from '../../dates.js';
import { setQuery } from '../../router.js';
import { t } from '../../texts.js';
import { Calendar } from './calendar.js';
import { Managed } from './frame.js';

export default function View({ id, query }) {
  return html`
    <${Managed} id=${id} page="jour">${(entreprise) => {
      const day = isDay(query.get('jour')) ? query.get('jour') : today(entreprise.fuseau);
      const step = (n) => setQuery({ jour: plusDays(day, n) });
      return html`
        <${Calendar} entreprise=${entreprise} first=${day} last=${day} label=${capital(nearDay(day, entreprise.fuseau))}
          before=${{ label: t('previousDay'), go: () => step(-1) }} after=${{ label: t('nextDay'), go: () => step(1) }}
          now=${() => setQuery({ jour: '' })} onDay=${(chosen) => setQuery({ jour: chosen })} />`;
    }}<//>`;
}
