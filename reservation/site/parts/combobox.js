// A text field with suggestions. The field follows the ARIA combobox pattern.
import { get } from '../api.js';
import { t } from '../texts.js';
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';
import { Icon } from './page.js';

const PAUSE = 150; // ms between the last key press and the request
const MOST = 8; // maximum number of suggestions

/**
 * `source` is an API path, or a function that returns the suggestions for a text. `onChoose` is
 * called when a suggestion is chosen. Other properties are attributes of the input.
 * @param {{ id: string, label: string, hint?: string, icon?: string, value: string,
 *   error?: string, source: string | ((text: string) => Promise<string[]>),
 *   onInput: (text: string) => void, onChoose?: (name: string) => void,
 *   [attribute: string]: any }} props
 */
export function Combobox({
  id,
  label,
  hint,
  icon,
  value,
  error,
  source,
  onInput,
  onChoose,
  ...others
}) {
  const [names, setNames] = useState(/** @type {string[]} */ ([]));
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const timer = useRef(0);
  const latest = useRef(0);
  const list = `${id}-list`;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const close = () => {
    clearTimeout(timer.current);
    latest.current += 1; // makes `propose` ignore a pending answer
    setOpen(false);
    setActive(-1);
  };
  /** @param {string} text */
  function propose(text) {
    close();
    if (!text.trim()) return;
    const round = latest.current;
    timer.current = setTimeout(async () => {
      const found = typeof source === 'string' ? get(source, { q: text }) : source(text);
      const known = await found.catch(() => []); // the field works without suggestions
      if (round !== latest.current) return;
      setNames(known.slice(0, MOST));
      setOpen(true);
    }, PAUSE);
  }
  /** @param {string} name */
  function choose(name) {
    onInput(name);
    onChoose?.(name);
    close();
  }
  /** @param {KeyboardEvent} event */
  function press(event) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step && open && names.length) {
      const from = active < 0 && step < 0 ? 0 : active;
      setActive((from + step + names.length) % names.length);
    } else if (step) {
      propose(value);
    } else if (event.key === 'Enter' && open && active >= 0) {
      choose(names[active]);
    } else {
      if (event.key === 'Escape' && open) event.preventDefault();
      if (['Escape', 'Enter', 'Tab'].includes(event.key)) close();
      return;
    }
    event.preventDefault();
  }
  /** @param {{ target: HTMLInputElement }} event */
  const input = ({ target }) => {
    onInput(target.value);
    propose(target.value);
  };
  const shown = open && names.length > 0;
  return html`
    <div class="combobox">
      <label for=${id}>${label}</label>
      <div class="with-icon">
        ${icon && html`<${Icon} name=${icon} />`}
        <input id=${id} type="text" role="combobox" autocomplete="off" spellcheck=${false}
          placeholder=${hint} value=${value} aria-autocomplete="list" aria-expanded=${shown}
          aria-controls=${list}
          aria-activedescendant=${active >= 0 ? `${list}-${active}` : undefined}
          aria-invalid=${error ? 'true' : undefined}
          aria-describedby=${error ? `${id}-error` : undefined}
          onInput=${input} onKeyDown=${press} onBlur=${close} ...${others} />
      </div>
      ${error && html`<p class="error" id="${id}-error"><${Icon} name="alert" />${error}</p>`}
      <ul id=${list} role="listbox" aria-label=${label} hidden=${!shown}>
        ${names.map(
          (name, number) => html`
          <${Option} ...${{ name, choose }} id="${list}-${number}" active=${number === active} />`,
        )}
      </ul>
      <span class="unseen" role="status">
        ${open && (shown ? t('suggestions', { n: names.length }) : t('noSuggestion'))}
      </span>
    </div>`;
}

/** @param {{ id: string, name: string, active: boolean, choose: (name: string) => void }} props */
function Option({ id, name, active, choose }) {
  /** @param {Event} event */
  const press = (event) => {
    event.preventDefault(); // keeps the focus in the input
    choose(name);
  };
  return html`<li id=${id} role="option" aria-selected=${active} onMouseDown=${press}>${name}</li>`;
}
