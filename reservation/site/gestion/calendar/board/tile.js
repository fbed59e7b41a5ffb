// The content of a tile. A tile is the box of a booking or an event on the board. The names of the
// customers come first, because a short tile shows only one line.
import { clock, dotted, timeOf } from '../../../dates.js';
import { nameOf } from '../../../parts/names.js';
import { Icon } from '../../../parts/page.js';
import { t } from '../../../texts/calendar.js';
import { isolated } from '../../../texts.js';
import { html, render } from '../../../vendor/htm-3.1.1.js';
import { ICONS } from '../spans.js';
import { isClosure, titleOf } from './titles.js';

/** @import { Entry } from '../../../vendor/event-calendar-5.10.1.js' */
/** @import { Evenement } from '../../../types.js' */
/** @import { Visits } from '../spans.js' */
/** @import { Conflict } from './conflict.js' */

/** @param {string} name */
function icon(name) {
  const drawing = document.createDocumentFragment();
  render(html`<${Icon} name=${name} />`, drawing);
  return drawing;
}

/** @param {string} name @param {string} className @param {(Node | string)[]} content */
function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content.filter(Boolean));
  return made;
}

/** @param {Visits} visits */
function whoOf({ reservations, free }) {
  const names = reservations.map(({ client, places }) =>
    places > 1 ? `${isolated(nameOf(client))} (${places})` : isolated(nameOf(client)),
  );
  return { names: names.join(', '), left: free > 0 && t('placesLeft', { n: free }) };
}

/**
 * `conflict` is the reason why the dragged booking cannot be dropped here. `split` is true if each
 * member of the team has a column.
 * @typedef {{ conflict?: Conflict | null, split?: boolean }} Where
 */

/** @param {Date} date */
const clockOf = (date) => clock(date.getHours() * 60 + date.getMinutes());

/** @param {Visits} visits @param {string} times @param {Where} where */
function visitsNodes(visits, times, { conflict, split }) {
  const [first] = visits.reservations;
  const asked = visits.reservations.find(({ statut }) => statut === 'demandee');
  const statut = /** @type {keyof typeof ICONS} */ ((asked ?? first).statut);
  const { names, left } = whoOf(visits);
  const marked = visits.reservations.length === 1 || asked ? ICONS[statut] : '';
  const who = element('b', 'who', marked ? icon(marked) : '', names);
  const person = !split && first.ressource?.nom;
  const what = dotted(first.prestation.nom, person, first.lieu?.nom, left);
  const nodes = [who, element('span', 'at', times), element('span', 'what', what)];
  if (marked) nodes.push(element('span', 'state', t(statut)));
  if (conflict) nodes.unshift(element('span', 'why', icon('alert'), t(conflict)));
  return nodes;
}

/** @param {Evenement} event */
const eventNodes = (event) => [
  element('b', 'who', icon(isClosure(event) ? 'closed' : 'info'), titleOf(event)),
];

/** @type {WeakMap<Visits, { times: string, domNodes: Node[] }>} */
const drawn = new WeakMap();

/**
 * Returns the content of a tile. The content of a booking is cached, because EventCalendar redraws
 * a tile if the returned object is new. A booking in two columns (person and room) is not cached:
 * each column needs its own nodes.
 * @param {Entry} entry
 * @param {Where} where
 */
export function contentOf({ start, end, display, resourceIds, ...entry }, where) {
  const { visits, event, label } = entry.extendedProps;
  const times = `${clockOf(start)} – ${clockOf(end)}`;
  if (visits) {
    const settled = display !== 'preview' && resourceIds.length < 2;
    const known = settled && drawn.get(visits);
    if (known && known.times === times) return known;
    const content = { times, domNodes: visitsNodes(visits, times, where) };
    if (settled) drawn.set(visits, content);
    return content;
  }
  if (event) return { domNodes: eventNodes(event) };
  return { domNodes: label ? [element('span', 'label', label)] : [] };
}

/** Returns the tooltip of a tile. @param {Entry} entry */
export function hintOf({ extendedProps: { visits, event } }) {
  if (event) return titleOf(event);
  if (!visits) return '';
  const [first] = visits.reservations;
  const { names, left } = whoOf(visits);
  const times = `${timeOf(first.debut)} – ${timeOf(first.fin)}`;
  const others = [first.prestation.nom, first.ressource?.nom, first.lieu?.nom];
  return dotted(names, times, ...others, left, t(first.statut));
}
