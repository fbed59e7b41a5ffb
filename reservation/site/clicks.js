// What happens on each click of the site, before and after the clicked element handles it.
import { BASE, go, pageOf } from './router.js';

/** Opens links within the site without a reload. @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!link?.href || event.button !== 0 || modified || event.defaultPrevented) return;
  const url = new URL(link.href);
  const leaves = url.origin !== location.origin || !url.pathname.startsWith(BASE);
  if (leaves || link.target || link.hasAttribute('download')) return;
  if (!pageOf(url.pathname).route) return; // perhaps a short address, which only the server knows
  event.preventDefault();
  go(url);
}

document.addEventListener('click', follow);

/** @type {Element | null} the link or button of the latest click */
let clicked = null;

/**
 * Ignores the second click of a double click if the first click has put something else under the
 * pointer, such as the next row of a list.
 * @param {MouseEvent} event
 */
function ignoreSecond(event) {
  const target = event.target instanceof Element ? event.target.closest('a, button') : null;
  if (event.detail < 2) clicked = target;
  else if (target !== clicked) {
    event.preventDefault();
    event.stopPropagation();
  }
}

addEventListener('click', ignoreSecond, true);
