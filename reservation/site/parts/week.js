// Seven days of free times of one service, and the way to other weeks.
import { html, useState } from '../vendor/htm-3.1.1.js';
import { get, page } from '../api.js';
import { capital, dateTime, dayOf, isElsewhere, plusDays, shortDay, shortWeekday, longDay, today, zoneName } from '../dates.js';
import { t } from '../texts.js';
import { Icon, Loaded, useLoad } from './page.js';
import { Times } from './times.js';

const FEW = 6; // times of a day, before somebody asks for all

/** `from` is the first day; `onWeek(day)` is asked for another one. `choose(start)`, where it is
 *  given, is called in place of following a link to the booking. */
export function Week({ entreprise, prestation, places, from, onWeek, choose }) {
  const now = today(entreprise.fuseau);
  const first = from > now ? from : now;
  const last = plusDays(first, 6);
  const path = `api/entreprises/${entreprise.id}/creneaux`;
  const about = { prestation: prestation.id, places };
  const causes = [entreprise.id, prestation.id, places, first];
  const week = useLoad(async () => {
    const starts = await get(path, { ...about, du: first, au: last });
    const next = starts.length ? null : await firstFree(path, { ...about, du: plusDays(last, 1), prochain: 1 });
    return { starts, next, of: first };
  }, causes);
  const earlier = plusDays(first, -7);
  return html`
    <div class="spread">
      <h3 aria-live="polite">${t('weekFrom', { from: shortDay(first), to: shortDay(last) })}</h3>
      <div class="row">
        <button type="button" class="round" aria-label=${t('previousWeek')} disabled=${first <= now} onClick=${() => onWeek(earlier > now ? earlier : now)}><${Icon} name="left" /></button>
        <button type="button" class="round" aria-label=${t('nextWeek')} onClick=${() => onWeek(plusDays(first, 7))}><${Icon} name="right" /></button>
      </div>
    </div>
    <${Loaded} from=${week} lines=${2}>${({ starts, next, of }) => html`
      ${starts.length > 0 && isElsewhere(starts[0].debut) && html`
        <div class="note"><${Icon} name="globe" /><p>${t('otherClock', { zone: zoneName(entreprise.fuseau, starts[0].debut) })}</p></div>`}
      ${starts.length
        ? html`<div class=${week.waiting ? 'fading' : ''}><${Days} key=${of} ...${{ entreprise, prestation, choose, starts }} first=${of} /></div>`
        : html`<${Nothing} next=${next} onWeek=${onWeek} />`}`}<//>`;
}

/** The first free time; a search that was cut goes on where its answer says. */
async function firstFree(path, query) {
  const { items, next } = await page(path, query);
  return items[0] ?? (next && firstFree(path, { ...query, ...next }));
}

function Days({ first, starts, ...others }) {
  const [all, unfold] = useState(false);
  const days = Array.from({ length: 7 }, (_, n) => plusDays(first, n));
  const of = (day) => starts.filter((start) => dayOf(start.debut) === day);
  const most = Math.max(...days.map((day) => of(day).length));
  return html`
    <ol class="week">
      ${days.map((day) => html`
        <li class=${of(day).length ? '' : 'none'}>
          <h4><span aria-hidden="true">${shortWeekday(day)} <b>${shortDay(day)}</b></span><span class="unseen">${longDay(day)}</span></h4>
          ${of(day).length
            ? html`<${Times} ...${others} starts=${all ? of(day) : of(day).slice(0, FEW)} />`
            : html`<p class="muted" aria-hidden="true">–</p>`}
        </li>`)}
    </ol>
    ${most > FEW && html`
      <div class="center"><button type="button" class="small" aria-expanded=${all} onClick=${() => unfold(!all)}>${t(all ? 'showFewerTimes' : 'showAllTimes')}</button></div>`}`;
}

const Nothing = ({ next, onWeek }) => html`
  <div class="empty" role="status">
    <p>${t(next ? 'nothingThisWeek' : 'nothingAhead')}</p>
    ${next && html`<button type="button" class="main" onClick=${() => onWeek(dayOf(next.debut))}>${capital(t('nextFree', { when: dateTime(next.debut) }))}</button>`}
  </div>`;
