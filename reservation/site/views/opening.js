// When a business is open: its week, and the dates that are not as the week says.
import { html } from '../vendor/htm-3.1.1.js';
import { get } from '../api.js';
import { capital, dayOf, longDay, plusDays, timeOf, today, weekday, weekdayName } from '../dates.js';
import { Icon, Loaded, useLoad } from '../parts/page.js';
import { t } from '../texts.js';

const DAYS = [1, 2, 3, 4, 5, 6, 7];

/** "09:00 – 12:00" of each stretch of a day; those that touch or overlap are one. */
function stretches(rows) {
  const found = [];
  for (const { debut, fin } of [...rows].sort((a, b) => a.debut.localeCompare(b.debut))) {
    const last = found.at(-1);
    if (last && debut <= last.fin) last.fin = fin > last.fin ? fin : last.fin;
    else found.push({ debut, fin });
  }
  return found.map(({ debut, fin }) => `${debut} – ${fin}`);
}

export function Hours({ of }) {
  const week = useLoad(() => get(`api/entreprises/${of.id}/semainetype`), [of.id]);
  const now = weekday(today(of.fuseau));
  return html`
    <section class="card stack">
      <h2>${t('openingHours')}</h2>
      <${Loaded} from=${week} lines=${2}>${(rows) => html`
        <dl class="hours">
          ${DAYS.map((day) => {
            const open = stretches(rows.filter((row) => row.jour === day));
            return html`
              <div class=${day === now ? 'now' : ''}>
                <dt>${capital(weekdayName(day))}</dt>
                <dd>${open.length ? open.map((one) => html`<span>${one}</span>`) : html`<span class="muted">${t('closed')}</span>`}</dd>
              </div>`;
          })}
        </dl>`}<//>
    </section>`;
}

/** The dates of an event, as short as they can be told. */
function datesOf({ debut, fin }) {
  const [first, from, to] = [dayOf(debut), timeOf(debut), timeOf(fin)];
  const last = to === '00:00' ? plusDays(dayOf(fin), -1) : dayOf(fin);
  const whole = from === '00:00' && to === '00:00';
  if (first !== last) return t('betweenDays', { from: longDay(first), to: longDay(last) });
  return whole ? longDay(first) : t('onDayBetween', { day: longDay(first), from, to: to === '00:00' ? '24:00' : to });
}

const NAMES = { fermeture: ['fermeture', 'danger'], ouverture: ['ouverture', 'good'], information: ['happening', ''] };

/** Nothing where nothing is to come. */
export function Events({ of }) {
  const coming = useLoad(() => get(`api/entreprises/${of.id}/evenements`, { du: today(of.fuseau), limite: 5 }), [of.id]);
  if (!coming.value?.length) return null;
  return html`
    <section class="card stack">
      <h2>${t('comingEvents')}</h2>
      <ul class="stack">
        ${coming.value.map((one) => {
          const [key, tone] = NAMES[one.type];
          return html`
            <li class="stack tight">
              <div class="row"><b>${one.titre}</b><span class="badge ${tone}">${t(key)}</span></div>
              <p class="with-icon muted small"><${Icon} name="calendar" />${capital(datesOf(one))}</p>
              ${one.description && html`<p class="small">${one.description}</p>`}
            </li>`;
        })}
      </ul>
    </section>`;
}
