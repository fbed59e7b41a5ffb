// Days of a business with all that is in them: read, kept fresh, and the windows that open on them.
import { html, useEffect, useState } from '../../vendor/htm-3.1.1.js';
import { dayOf, isElsewhere, today, zoneName } from '../../dates.js';
import { Dialog } from '../../parts/dialog.js';
import { Icon, Loaded, useLoad } from '../../parts/page.js';
import { t } from '../../texts.js';
import { Booking } from './booking.js';
import { Grid } from './grid.js';
import { Pending } from './pending.js';
import { readCalendar } from './reading.js';
import { Visits } from './visits.js';

const FRESH = 60_000; // ms between two looks at what customers have booked meanwhile

export function Calendar({ entreprise, first, last, label, before, after, now, onDay }) {
  const read = () => readCalendar(entreprise, first, last);
  const calendar = useLoad(read, [entreprise.id, first, last]);
  const [open, show] = useState(null); // {gap, minute} or {block}
  useFresh(read, calendar.set, [entreprise.id, first, last]);
  const close = () => show(null);
  const done = () => {
    close();
    read().then(calendar.set, calendar.again);
  };
  const block = open?.block && { visits: open.block.visits, start: open.block.start, free: open.block.course ? open.block.free : 0 };
  return html`
    <${Loaded} from=${calendar} lines=${6}>${(value) => html`
      <${Pending} visits=${value.asked} onDone=${done} onOpen=${(visit) => show({ block: { visits: [visit], free: 0 } })} />
      <div class="spread toolbar">
        <div class="row">
          <button type="button" class="round" aria-label=${before.label} onClick=${before.go}><${Icon} name="left" /></button>
          <button type="button" class="round" aria-label=${after.label} onClick=${after.go}><${Icon} name="right" /></button>
          <h2 aria-live="polite">${label}</h2>
        </div>
        <div class="row">
          <button type="button" class="small" onClick=${now}>${t('toToday')}</button>
          <label class="goto"><span class="unseen">${t('goToDay')}</span>
            <input type="date" value=${first} onChange=${(event) => event.target.value && onDay(event.target.value)} /></label>
          <button type="button" class="main small" onClick=${() => show({ gap: { day: firstFree(value, entreprise) } })}><${Icon} name="plus" />${t('newVisit')}</button>
        </div>
      </div>
      ${value.visits[0] && isElsewhere(value.visits[0].debut) && html`
        <div class="note"><${Icon} name="globe" /><p>${t('otherClock', { zone: zoneName(entreprise.fuseau, value.visits[0].debut) })}</p></div>`}
      <div class=${calendar.waiting ? 'fading' : ''}>
        <${Grid} calendar=${value} zone=${entreprise.fuseau} onGap=${(gap) => show({ gap })} onVisit=${(one) => show({ block: one })} />
      </div>`}<//>
    ${open?.gap && html`
      <${Dialog} title=${t('newVisit')} onClose=${close}><${Booking} entreprise=${entreprise} at=${open.gap} onDone=${done} /><//>`}
    ${block && html`
      <${Visits} ...${block} entreprise=${entreprise} onClose=${close} onDone=${done}
        onAdd=${(visit) => show({ gap: { day: dayOf(visit.debut), debut: visit.debut, prestation: visit.prestationId } })} />`}`;
}

/** The first of the days shown that is not over. */
function firstFree({ first }, { fuseau }) {
  const now = today(fuseau);
  return first > now ? first : now;
}

/** Look again now and then, while somebody sees it; what comes after other days were chosen is late. */
function useFresh(read, show, causes) {
  useEffect(() => {
    let late = false;
    const look = () => document.hidden || read().then((value) => late || show(value), () => {});
    const timer = setInterval(look, FRESH);
    document.addEventListener('visibilitychange', look);
    return () => {
      late = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, causes);
}
