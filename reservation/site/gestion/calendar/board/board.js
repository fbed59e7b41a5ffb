// The board: the calendar drawn by the library EventCalendar, for mouse and touch. Users of a
// keyboard or a screen reader use the list (list.js).
import { Loaded, useLoad } from '../../../parts/load.js';
import { language } from '../../../texts.js';
import { html, useEffect, useLayoutEffect, useRef } from '../../../vendor/htm-3.1.1.js';
import { loadBoard } from './loading.js';
import { changingOptions, fixedOptions } from './options.js';
import { rangeOf } from './range.js';

/** @import { EventCalendar } from '../../../vendor/event-calendar-5.10.1.js' */
/** @import { BoardProps } from './options.js' */

const PAGE = 560; // px: the height of the board on a printed page
const HEAD = 150; // px: the height of the column headings and the all-day row

/**
 * Draws the board. Reserves the height of the board while EventCalendar loads. The caller gives the
 * month another key than the other views.
 * @param {BoardProps} props
 */
export function Board(props) {
  const { vue, split } = props;
  const loading = useLoad(() => loadBoard(vue), []);
  const changing = changingOptions(props, loading.value);
  const { from, to } = rangeOf(props.calendar);
  const hours = ((to - from) / changing.slotMinutes) * changing.slotHeight;
  const print = Math.min(1, PAGE / (hours + HEAD)).toFixed(3);
  const key = `${vue} ${split} ${language.get()}`;
  const drawn = () => html`<${Drawn} key=${key} ...${{ props, changing }} />`;
  return html`
    <div class="board ${vue} ${split ? 'split' : ''}"
      style=${{ '--hours': `${hours}px`, '--print': print }}>
      <${Loaded} from=${loading} lines=${6}>${drawn}<//>
    </div>`;
}

/**
 * Removes the elements of the board from the tab order, because the board is `aria-hidden`.
 * @param {HTMLElement} board
 */
function keepFromTab(board) {
  const clear = () => {
    for (const stop of board.querySelectorAll('[tabindex="0"], .ec-main:not([tabindex])')) {
      stop.setAttribute('tabindex', '-1');
    }
  };
  const observer = new MutationObserver(clear);
  observer.observe(board, { childList: true, subtree: true });
  clear();
  return observer;
}

/** @param {{ props: BoardProps, changing: ReturnType<typeof changingOptions> }} of */
function Drawn({ props, changing }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const board = useRef(/** @type {EventCalendar | null} */ (null));
  const latest = useRef(props);
  const known = useRef(/** @type {Record<string, string>} */ ({})); // options as JSON
  latest.current = props;
  // A layout effect runs before the browser paints. With `useEffect`, the user could see an empty
  // board for a moment.
  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (place.current);
    const options = { ...fixedOptions(latest), ...changing };
    const made = EventCalendar.create(element, options);
    board.current = made;
    const observer = keepFromTab(element);
    return () => {
      observer.disconnect();
      EventCalendar.destroy(made);
    };
  }, []);
  // Compares JSON, because each rendering makes new objects. EventCalendar draws the board again
  // for each option that is set.
  useEffect(() => {
    for (const [name, value] of Object.entries(changing)) {
      const json = JSON.stringify(value);
      if (json !== (known.current[name] ?? json)) board.current?.setOption(name, value);
      known.current[name] = json;
    }
  });
  return html`<div aria-hidden="true" ref=${place} />`;
}
