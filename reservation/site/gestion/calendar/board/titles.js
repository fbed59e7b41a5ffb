// The titles and the kinds of events.
import { dayOf, dotted } from '../../../dates.js';
import { t } from '../../../texts/calendar.js';

/** @import { Evenement } from '../../../types.js' */

/** @param {Evenement} event */
export const isClosure = ({ type }) => type === 'fermeture';

/**
 * Says why a day has no open time: `horizon` is the last day that can be booked.
 * @param {string} day
 * @param {string} horizon
 */
export const closedOn = (day, horizon) => t(day > horizon ? 'notYetOpen' : 'closed');

/**
 * Returns the title of an event. In the calendar of the whole business, the name of the event's
 * person or room comes first.
 * @param {{ titre: string, whose?: string }} event
 */
export const namedTitle = ({ titre, whose }) => dotted(whose, titre);

/** @param {Evenement} event */
export const titleOf = (event) =>
  isClosure(event) ? t('closedFor', { title: namedTitle(event) }) : namedTitle(event);

/**
 * Returns whether an event is a closure of less than 12 hours on one day.
 * @param {Evenement} event
 */
export const isBlock = (event) =>
  isClosure(event) &&
  dayOf(event.debut) === dayOf(event.fin) &&
  Date.parse(event.fin) - Date.parse(event.debut) < 12 * 3_600_000;
