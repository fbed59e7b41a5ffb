// Loads data. Shows placeholders while waiting, then the data or an error.
import { explain, refusalOf } from '../errors.js';
import { useSending } from '../sending.js';
import { t } from '../texts.js';
import { html, useCallback, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';
import { Button, Note, Page, Waiting } from './page.js';

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
 * While `waiting` is true, `value` is still the previous value. `read` gets a function that returns
 * false if the causes have changed, `again` was called, or the visitor has left the page.
 * @template T
 * @param {(isWanted: () => boolean) => Promise<T>} read
 * @param {unknown[]} causes
 * @returns {Load<T>}
 */
export function useLoad(read, causes) {
  const [state, setState] = useState(
    /** @type {{ value?: T, error?: unknown, by?: () => void }} */ ({}),
  );
  const latest = useRef(0);
  const again = useCallback(async () => {
    latest.current += 1;
    const round = latest.current;
    const isWanted = () => round === latest.current;
    setState(({ value }) => ({ value }));
    try {
      const value = await read(isWanted);
      if (isWanted()) setState({ value, by: again });
    } catch (error) {
      if (isWanted()) setState(({ value }) => ({ value, error, by: again }));
    }
  }, causes);
  useEffect(() => {
    again();
    return () => {
      latest.current += 1;
    };
  }, [again]);
  return {
    ...state,
    // `by` is undefined while `again` runs. If it is an earlier `again`, `causes` have changed.
    waiting: state.by !== again,
    again,
    set: (value) => setState({ value, by: again }),
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
  const { busy, sendOnce } = useSending();
  const [failed, setFailed] = useState(
    /** @type {{ error: unknown, again: () => void } | null} */ (null),
  );
  /** @param {A} args */
  const run = (...args) =>
    sendOnce(async () => {
      setFailed(null);
      try {
        await send(...args);
      } catch (error) {
        setFailed({ error, again: () => run(...args) });
      }
    });
  return { run, busy, failed };
}
