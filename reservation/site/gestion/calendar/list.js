// The calendar as a list, for the keyboard and for screen readers.
import { capital, clock, dayOf, dotted, longDay, plusDays, timeOf } from '../../dates.js';
import { nameOf, Places } from '../../parts/names.js';
import { Button, Icon } from '../../parts/page.js';
import { address, place } from '../../router.js';
import { t } from '../../texts/calendar.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { closedOn, isClosure, namedTitle, titleOf } from './board/titles.js';
import { gapsOf, ICONS, touches, visitsOf, within } from './spans.js';

/** @import { Evenement, OwnedReservation, Ressource } from '../../types.js' */
/** @import { Wanted } from './new/booking.js' */
/** @import { CalendarDays, Entries } from './reading.js' */
/** @import { Gap, Visits } from './spans.js' */

/**
 * The properties that all rows share.
 * @typedef {object} Replies
 * @property {boolean} manager whether the user may manage the business
 * @property {(visits: Visits, chosen: OwnedReservation) => void} onVisits
 * @property {(event: Evenement) => void} onEvent
 * @property {(wanted: Wanted) => void} onGap
 */

/** @param {Replies & { calendar: CalendarDays, brief?: boolean }} props */
export function List({ calendar, brief, ...replies }) {
  const days = [];
  for (let day = calendar.first; day <= calendar.last; day = plusDays(day, 1)) days.push(day);
  const shown = calendar.entries.map((entries) => ({ entries, visits: visitsOf(entries) }));
  return html`
    <section class="agenda-list" aria-labelledby="agenda-list">
      <h2 id="agenda-list">${t('listTitle')}</h2>
      ${days.map((day) =>
        brief
          ? html`<${Brief} key=${day} ...${{ day, shown }} />`
          : html`<${Day} key=${day} ...${{ day, shown, calendar }} ...${replies} />`,
      )}
    </section>`;
}

/** @typedef {{ day: string, shown: { entries: Entries, visits: Visits[] }[] }} OfDay */

/** A summary of a day, with a link to the day. @param {OfDay} props */
function Brief({ day, shown }) {
  const visits = shown.flatMap((one) => one.visits).filter((one) => begins(day, one));
  const n = visits.flatMap(({ reservations }) => reservations).length;
  const to = address(place.get().path, { vue: 'jour', jour: day });
  const all = shown.flatMap(({ entries }) => entries.events).filter(touches(day));
  const events = [...new Map(all.map((event) => [event.id, event])).values()];
  if (!n && !events.length) return null;
  return html`
    <p>
      <a href=${to}>${capital(longDay(day))}</a>
      ${' '}<span class="muted">${dotted(t('visits', { n }), ...events.map(titleOf))}</span>
    </p>`;
}

/** Returns whether visits begin on `day`. @param {string} day @param {Visits} visits */
const begins = (day, { reservations: [{ debut }] }) => dayOf(debut) === day;

/** @param {OfDay & Replies & { calendar: CalendarDays }} props */
function Day({ day, shown, calendar, ...replies }) {
  return html`
    <div class="of-day">
      ${calendar.first !== calendar.last && html`<h3>${capital(longDay(day))}</h3>`}
      ${shown.map(({ entries, visits }) => {
        // If the clock repeats midnight, a visit may end at the 00:00 of its own day.
        const own = visits.filter((one) => begins(day, one) || touches(day)(one.reservations[0]));
        const gaps = gapsOf(entries, visits).filter(({ debut }) => dayOf(debut) === day);
        const events = entries.events.filter(touches(day));
        return html`
          <${Rows} key=${entries.member?.id} ...${{ entries, day, gaps, events, ...replies }}
            visits=${own} horizon=${calendar.horizon} alone=${shown.length === 1} />`;
      })}
    </div>`;
}

/**
 * The bookings, free times and events of a day, ordered by start. With `alone`, the name of the
 * person or room is hidden.
 * @param {Replies & { entries: Entries, day: string, visits: Visits[], gaps: Gap[],
 *   events: Evenement[], horizon: string, alone: boolean }} props
 */
function Rows({ entries, day, visits, gaps, events, horizon, alone, ...replies }) {
  const { member } = entries;
  const rows = [
    ...events.map((event) => ({
      at: within(day, event).from,
      row: html`<${EventRow} key=${`event ${event.id}`} ...${{ event, day, ...replies }} />`,
    })),
    ...gaps.map((gap) => ({
      at: within(day, gap).from,
      row: html`
        <${GapRow} key=${`${gap.debut} ${gap.places}`} ...${{ gap, day, ...replies }}
          member=${member?.id} />`,
    })),
    ...visits.flatMap((one) =>
      one.reservations.map((reservation) => ({
        at: within(day, reservation).from,
        row: html`
          <${VisitRow} key=${reservation.id} ...${{ reservation, ...replies }} visits=${one}
            member=${member?.id} />`,
      })),
    ),
  ].sort((a, b) => a.at - b.at);
  const isClosed = entries.creneaux.every(
    (slot) => dayOf(slot.debut) !== day || slot.motif === 'ferme',
  );
  const nothing =
    isClosed && member?.genre !== 'lieu' ? closedOn(day, horizon) : t('nothingBooked');
  const list = rows.length
    ? html`<ul>${rows.map(({ row }) => row)}</ul>`
    : html`<p class="muted">${nothing}</p>`;
  if (!member || alone) return list;
  const canBeAway = replies.manager && member.actif && member.genre === 'personne';
  return html`
    <section aria-label=${member.nom}>
      <div class="spread">
        <h3>${member.nom}</h3>
        ${canBeAway && html`<${Away} ...${{ member, day }} />`}
      </div>
      ${list}
    </section>`;
}

/** @param {{ member: Ressource, day: string }} props */
function Away({ member: { id, nom, entrepriseId }, day }) {
  const to = address(`gestion/${entrepriseId}/equipe`, { absence: id, jour: day });
  return html`<a class="button small" href=${to} aria-label=${t('absenceOf', { name: nom })}>
    ${t('absence')}
  </a>`;
}

/**
 * @param {Pick<Replies, 'onVisits'> & { reservation: OwnedReservation, visits: Visits,
 *   member?: number }} props
 */
function VisitRow({ reservation, visits, member, onVisits }) {
  const { client, prestation, ressource, lieu, debut, fin, places, statut } = reservation;
  const others = [ressource, lieu].map((one) => one?.id !== member && one?.nom);
  const icon = ICONS[/** @type {keyof typeof ICONS} */ (statut)];
  return html`
    <li class="visit-row">
      <${Button} onClick=${() => onVisits(visits, reservation)}>
        <span class="at">${timeOf(debut)} – ${timeOf(fin)}</span>
        <b>${nameOf(client)}</b>
        <small>${dotted(prestation.nom, ...others)}</small>
        <${Places} n=${places} />
        ${icon && html`<span class="badge"><${Icon} name=${icon} />${t(statut)}</span>`}
      <//>
    </li>`;
}

/**
 * @param {Pick<Replies, 'onGap' | 'manager'> & { gap: Gap, day: string, member?: number }} props
 */
function GapRow({ gap, day, member, manager, onGap }) {
  const { debut, fin, places } = gap;
  const { from, to } = within(day, gap);
  const times = { from: clock(from), to: clock(to) };
  const wanted = { day, debut, ressource: member };
  const left = t('places', { n: places });
  const block = html`
    <${Button} icon="closed" class="quiet" aria-label=${t('blockLabel', times)}
      onClick=${() => onGap({ ...wanted, fin, block: true })}>${t('blockTime')}<//>`;
  return html`
    <li class="gap-row">
      <${Button} icon="plus" aria-label=${t('gapLabel', { ...times, places: left })}
        onClick=${() => onGap(wanted)}>
        <span class="at">${times.from} – ${times.to}</span>
        <span>${places > 1 ? t('placesLeft', { n: places }) : t('free')}</span>
      <//>
      ${manager && block}
    </li>`;
}

/**
 * @param {Pick<Replies, 'onEvent' | 'manager'> & { event: Evenement, day: string }} props
 */
function EventRow({ event, day, manager, onEvent }) {
  const { from, to } = within(day, event);
  const times = from === 0 && to === 1440 ? t('wholeDay') : `${clock(from)} – ${clock(to)}`;
  const icon = isClosure(event) ? 'closed' : 'info';
  const change = html`
    <${Button} icon="edit" class="quiet" aria-label=${t('editOf', { name: namedTitle(event) })}
      onClick=${() => onEvent(event)}>${t('edit')}<//>`;
  return html`
    <li class="event-row">
      <span class="with-icon"><${Icon} name=${icon} /><span class="at">${times}</span>
        <b>${titleOf(event)}</b></span>
      ${manager && change}
    </li>`;
}
