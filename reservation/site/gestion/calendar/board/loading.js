// Loads EventCalendar, which is a plain script with a style sheet.
import { Refusal } from '../../../api.js';

const FOLDER = new URL('../../../vendor/event-calendar-5.10.1/', import.meta.url);

/**
 * @param {HTMLLinkElement | HTMLScriptElement} element
 * @returns {Promise<void>}
 */
function load(element) {
  return new Promise((resolve, reject) => {
    element.onload = () => resolve();
    element.onerror = () => {
      element.remove();
      reject(new Refusal(0));
    };
    document.head.prepend(element); // the style sheet of the site comes after it
  });
}

/** @type {Promise<true> | null} */
let loading = null;

/** Loads the script and the style sheet once. A failure can be tried again. */
export function loadEventCalendar() {
  if (loading) return loading;
  const script = document.createElement('script');
  const sheet = document.createElement('link');
  script.src = new URL('event-calendar.min.js', FOLDER).href;
  sheet.href = new URL('event-calendar.min.css', FOLDER).href;
  sheet.rel = 'stylesheet';
  loading = Promise.all([load(script), load(sheet)]).then(() => true);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}
