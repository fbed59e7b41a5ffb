// Loads data. Shows placeholders while waiting, then the data or an error.

import { explain, refusalOf } from '../errors.js';
import { page } from '../lists.js';
import { t } from '../texts.js';
import { html, useCallback, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';
import { Button, Note, Page, Waiting } from './page.js';

/** @import { Query } from '../api.js' */
/** @import { ListPage } from '../lists.js' */
/** @import { Load } from '../types.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */

/**
 * Shows `error`, or nothing if there is no error. Has a retry button if a retry may succeed.
 * @param {{ error?: unknown, again?: () => void }} props
 */
export function Trouble({ error, again }) {
  if (!error) return null;
  const retry = html`<${Button} class="small" onClick=${again}>${t('tryAgain')}<//>`;
  const action = again && refusalOf(error).passing && retry;
  return html`
    <${Note} tone="danger" icon="alert" role="alert" action=${action}>
      ${explain(error).general}
    <//>`;
}

/**
 * Calls `read` now, and again when one of `causes` changes:
 *   const salon = useLoad(() => known(`api/entreprises/${id}`), [id]);
 * While `waiting` is true, the previous value stays.
 * @template T
 * @param {() => Promise<T>} read
 * @param {unknown[]} causes
 * @returns {Load<T>}
 */
export function useLoad(read, causes) {
  const [state, setState] = useState(
    /** @type {{ value?: T, error?: unknown, waiting: boolean, by?: () => void }} */ ({
      waiting: true,
    }),
  );
  const latest = useRef(0);
  const again = useCallback(async () => {
    latest.current += 1;
    const round = latest.current;
    /** @param {typeof state} next */
    const show = (next) => round === latest.current && setState(next);
    setState(({ value }) => ({ value, waiting: true }));
    try {
      show({ value: await read(), waiting: false, by: again });
    } catch (error) {
      if (round === latest.current) {
        setState(({ value }) => ({ value, error, waiting: false, by: again }));
      }
    }
  }, causes);
  useEffect(() => {
    again();
    return () => {
      latest.current += 1;
    };
  }, [again]);
  // After a change of `causes`, the component is drawn once before the effect sets `state.waiting`.
  const waiting = state.waiting || state.by !== again;
  return {
    ...state,
    waiting,
    again,
    set: (value) => setState({ value, waiting: false, by: again }),
  };
}

/**
 * Calls `children` with the loaded value. Set `whole` if `children` draws a <Page>. With `whole`,
 * an error is drawn as a <Page>.
 * @template T
 * @param {{ from: Load<T>, lines?: number, whole?: boolean, children: (value: T) => VNode }} props
 */
export function Loaded({ from: { value, error, again }, lines, whole, children }) {
  if (error && whole) return html`<${Failed} error=${error} again=${again} />`;
  if (error) return html`<${Trouble} error=${error} again=${again} />`;
  if (value === undefined) return html`<${Waiting} lines=${lines} />`;
  return children(value);
}

/**
 * A page that shows an error instead of a view.
 * @param {{ error: unknown, again?: () => void }} props
 */
export function Failed({ error, again }) {
  const title = t(refusalOf(error).code === 'not_found' ? 'missingPage' : 'brokenPage');
  return html`
    <${Page} title=${title}>
      <${Trouble} error=${error} again=${again} />
      <div><a class="button" href=".">${t('backToSearch')}</a></div>
    <//>`;
}

/**
 * Sends requests outside of a form. `run` calls `send`, but does nothing while an earlier call is
 * running. `failed` has the error of the last call, or is null.
 * @template {unknown[]} A
 * @param {(...args: A) => Promise<unknown>} send
 */
export function useAction(send) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(
    /** @type {{ error: unknown, again: () => void } | null} */ (null),
  );
  const sending = useRef(false);
  /** @param {A} args */
  async function run(...args) {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    setFailed(null);
    try {
      await send(...args);
    } catch (error) {
      setFailed({ error, again: () => run(...args) });
    } finally {
      sending.current = false;
      setBusy(false);
    }
  }
  return { run, busy, failed };
}

/** Returns how many pages of a list the visitor had opened before coming back to it. */
export const openPages = () => history.state?.pages ?? 1;

/** Keeps the number of open pages in the browser's history. @param {number} pages */
export const keepOpen = (pages) => history.replaceState({ ...history.state, pages }, '');

/**
 * Reads a list page by page. If the visitor comes back, reads the pages that were open.
 * @param {(more?: Query) => Promise<ListPage<any>>} read
 * @param {unknown[]} causes
 */
export function usePages(read, causes) {
  /** @param {ListPage<any>} list */
  const longer = async ({ items, next: query }) => {
    const next = await read(query ?? undefined);
    return { items: [...items, ...next.items], next: next.next };
  };
  const list = useLoad(async () => {
    let pages = await read();
    for (let n = openPages(); n > 1 && pages.next; n -= 1) pages = await longer(pages);
    return pages;
  }, causes);
  const shown = useRef(list.value);
  shown.current = list.value;
  useEffect(
    () => () => {
      shown.current = undefined;
    },
    [],
  );
  const more = useAction(async () => {
    if (!list.value) return;
    const pages = await longer(list.value);
    // The list may have been replaced while the next page was loading, for example by a search.
    if (shown.current !== list.value) return;
    list.set(pages);
    keepOpen(openPages() + 1);
  });
  return { list, more };
}

// The page grows while its data arrives. So its place is kept until the visitor does something.
addEventListener('popstate', () => {
  const { top } = history.state ?? {};
  if (!top) return;
  const growth = new ResizeObserver(() => scrollTo(0, top));
  growth.observe(document.body);
  for (const event of ['wheel', 'touchstart', 'mousedown', 'keydown', 'popstate']) {
    addEventListener(event, () => growth.disconnect(), { once: true });
  }
});

/**
 * The button that reads the next page.
 * @param {{ pages: ReturnType<typeof usePages>, label?: string }} props
 */
export const More = ({ pages: { list, more }, label = t('more') }) => html`
  <${Trouble} ...${more.failed} />
  <div class="center">
    ${list.value?.next && html`<${Button} onClick=${() => more.run()}>${label}<//>`}
  </div>`;

/**
 * Calls `usePages` for the list at `path`.
 * @param {string} path
 * @param {Query} query
 */
export const usePagesOf = (path, query) =>
  usePages((more) => page(path, { ...query, ...more }), [path, JSON.stringify(query)]);
