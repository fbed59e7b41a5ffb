// Lists that show more pages on demand. Back shows the same pages, at the same place.

import { changes } from '../api.js';
import { Trouble, useAction, useLoad } from '../parts/load.js';
import { Button } from '../parts/page.js';
import { t } from '../texts.js';
import { html, useEffect, useLayoutEffect, useRef } from '../vendor/htm-3.1.1.js';
import { page } from './reading.js';

/** @import { Query } from '../api.js' */
/** @import { ListPage } from './reading.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */

/** Returns how many pages of a list the visitor had opened before coming back to it. */
export const openPages = () => history.state?.pages ?? 1;

/** Stores in the browser's history how many pages of the list are open. @param {number} pages */
export const keepOpen = (pages) => history.replaceState({ ...history.state, pages }, '');

/**
 * Reads a list page by page. If the visitor comes back, reads the pages that were open.
 * @param {(more?: Query) => Promise<ListPage<any>>} read
 * @param {unknown[]} causes
 */
export function usePages(read, causes) {
  /** @param {ListPage<any>} before @param {ListPage<any>} after */
  const joined = (before, { items, next }) => ({ items: [...before.items, ...items], next });
  const list = useLoad(async () => {
    let pages = await read();
    for (let n = openPages(); n > 1 && pages.next; n -= 1) {
      pages = joined(pages, await read(pages.next));
    }
    return pages;
  }, causes);
  useEffect(() => {
    let hasLeft = false;
    // Reads the list again after a change that is being sent: the first read may be too early.
    if (changes.size) Promise.allSettled(changes).then(() => (hasLeft ? undefined : list.again()));
    return () => {
      hasLeft = true;
    };
  }, causes);
  /** The list on the page. Undefined after the visitor has left. */
  const shown = useRef(/** @type {typeof list | undefined} */ (list));
  useLayoutEffect(() => {
    shown.current = list;
    return () => {
      shown.current = undefined;
    };
  });
  const more = useAction(async () => {
    if (!list.value?.next) return;
    const { next } = list.value;
    const page = await read(next);
    // Meanwhile, `replace` may have changed items, or a search may have begun.
    const now = shown.current;
    if (now?.again !== list.again || now.value?.next !== next) return;
    list.set(joined(now.value, page));
    keepOpen(openPages() + 1);
  });
  /** Shows an item that has changed. @param {{ id: number }} changed */
  const replace = (changed) => {
    const { value, set } = shown.current ?? list; // `list` may be outdated since the click
    const items = value?.items.map((one) => (one.id === changed.id ? changed : one));
    if (value && items) set({ ...value, items });
  };
  return { list, more, replace };
}

/** @type {ResizeObserver | null} */
let growth = null;
const stop = () => {
  growth?.disconnect();
  growth = null;
};
// After Back, Forward or a reload, the page grows while its data arrives. After each growth, the
// page is scrolled to its former place again, until the visitor does something.
const restore = () => {
  stop();
  const { top } = history.state ?? {};
  if (!top) return;
  growth = new ResizeObserver(() => scrollTo(0, top));
  growth.observe(document.body);
};
restore();
addEventListener('popstate', restore);
for (const event of ['wheel', 'touchstart', 'mousedown', 'click', 'keydown']) {
  addEventListener(event, stop);
}
// Stores the place for a visitor who leaves with the Back button and returns with Forward. `go`
// stores it for a visitor who follows a link.
addEventListener('scrollend', () => {
  if (!growth) history.replaceState({ ...history.state, top: scrollY }, '');
});

/**
 * The end of a list, with the button in `children`. When the button goes, its place keeps the
 * focus, so that the Tab key does not start again from the top of the page.
 * @param {{ shown: boolean, children?: VNode }} props
 */
export function End({ shown, children }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef(shown);
  useLayoutEffect(() => {
    const gone = before.current && !shown && document.activeElement === document.body;
    if (gone) place.current?.focus({ preventScroll: true });
    before.current = shown;
  }, [shown]);
  return html`<div tabindex="-1" ref=${place}>${shown && children}</div>`;
}

/**
 * The button that reads the next page.
 * @param {{ pages: ReturnType<typeof usePages>, label?: string }} props
 */
export const More = ({ pages: { list, more }, label = t('more') }) => html`
  <${Trouble} ...${more.failed} />
  <${End} shown=${Boolean(list.value?.next)}>
    <div class="center"><${Button} onClick=${() => more.run()}>${label}<//></div>
  <//>`;

/**
 * Calls `usePages` for the list at `path`.
 * @param {string} path
 * @param {Query} query
 */
export const usePagesOf = (path, query) =>
  usePages((more) => page(path, { ...query, ...more }), [path, JSON.stringify(query)]);
