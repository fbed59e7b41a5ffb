// Loads EventCalendar: a classic script and a style sheet.
import { loadOnce } from '../../../parts/head.js';

const FOLDER = new URL('../../../vendor/event-calendar-5.10.1/', import.meta.url);

export const loadEventCalendar = () =>
  Promise.all(
    ['event-calendar.min.js', 'event-calendar.min.css'].map((name) =>
      loadOnce(new URL(name, FOLDER), { first: true }),
    ),
  );
