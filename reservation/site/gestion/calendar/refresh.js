import { useEffect } from '../../vendor/htm-3.1.1.js';

/** @import { CalendarDays } from './reading.js' */

const REFRESH = 60_000; // ms

/**
 * Refreshes the calendar every minute and when the page becomes visible, but not during a drag.
 * Ignores a result that arrives after `causes` have changed.
 * @param {() => Promise<CalendarDays>} read
 * @param {(value: CalendarDays) => void} show
 * @param {unknown[]} causes the dependencies of the effect
 */
export function useRefresh(read, show, causes) {
  useEffect(() => {
    let late = false;
    const refresh = () => {
      if (document.hidden || document.querySelector('.ec-preview')) return;
      read().then(
        (value) => {
          if (!late) show(value);
        },
        () => {}, // the next refresh may succeed
      );
    };
    const timer = setInterval(refresh, REFRESH);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      late = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, causes);
}
