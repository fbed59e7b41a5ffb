import { useEffect } from '../../vendor/htm-3.1.1.js';

/** @import { CalendarDays } from './reading.js' */

const REFRESH = 60_000; // ms

/**
 * Calls `read` every minute and when the page becomes visible, and passes the result to `show`.
 * Ignores the result if one of `causes`, the dependencies of the effect, has changed meanwhile.
 * Does not call `read` while the page is hidden or the user drags something on the board.
 * @param {() => Promise<CalendarDays>} read
 * @param {(value: CalendarDays) => void} show
 * @param {unknown[]} causes
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
