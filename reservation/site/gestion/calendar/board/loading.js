// Loads what the board needs: EventCalendar, which is a classic script and a style sheet, and the
// module of the month.
import { notLoaded } from '../../../api.js';
import { loadOnce } from '../../../parts/head.js';
import { drawnOf } from './events.js';

/** @import { Drawing } from './events.js' */

const FOLDER = new URL('../../../vendor/event-calendar-5.10.1/', import.meta.url);

/** Loads the board, and returns the function that makes its tiles. @param {Drawing['vue']} vue */
export async function loadBoard(vue) {
  const month = vue === 'mois' ? import('./month.js').catch(notLoaded) : null;
  await Promise.all(
    ['event-calendar.min.js', 'event-calendar.min.css'].map((name) =>
      loadOnce(new URL(name, FOLDER), { first: true }),
    ),
  );
  return (await month)?.monthOf ?? drawnOf;
}
