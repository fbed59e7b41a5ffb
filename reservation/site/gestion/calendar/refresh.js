import { useEffect } from '../../vendor/htm-3.1.1.js';

const REFRESH = 60_000; // ms

/**
 * Reads and shows a value every minute and when the page becomes visible, but not during a drag.
 * `causes` has the values that `read` depends on. If a value changes, pending results are ignored.
 * @template T
 * @param {() => Promise<T>} read
 * @param {(value: T) => void} show
 * @param {unknown[]} causes
 */
export function useRefresh(read, show, causes) {
  useEffect(() => {
    let late = false;
    const idle = () => !document.hidden && !document.querySelector('.ec-preview');
    const refresh = () => {
      if (!idle()) return;
      read().then(
        (value) => {
          if (!late && idle()) show(value);
        },
        () => {}, // the next refresh tries again
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
