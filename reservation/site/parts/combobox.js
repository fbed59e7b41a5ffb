// A text field that proposes names while one types: the ARIA combobox pattern with a list.
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';
import { get } from '../api.js';
import { t } from '../texts.js';

const PAUSE = 150; // ms without a key before the list is asked for

/** `source` is the list's address, 'api/villes', or a function that gives the names for a text,
 *  or a promise of them;
 *  `onInput` and `onChoose` get the text; `others` are attributes of the field. */
export function Combobox({ id, label, hint, icon, source, value, onInput, onChoose, children, ...others }) {
  const [names, propose] = useState([]);
  const [open, unfold] = useState(false);
  const [active, point] = useState(-1);
  const timer = useRef();
  const turn = useRef(0);
  const list = `${id}-list`;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const close = () => {
    clearTimeout(timer.current);
    turn.current += 1; // an answer on its way comes too late
    unfold(false);
    point(-1);
  };
  function ask(text) {
    clearTimeout(timer.current);
    const mine = ++turn.current;
    if (!text.trim()) return close();
    timer.current = setTimeout(async () => {
      const names = typeof source === 'function' ? source(text) : get(source, { q: text });
      const found = await Promise.resolve(names).catch(() => []); // one can do without
      if (mine !== turn.current) return;
      propose(found.slice(0, 8));
      unfold(true);
      point(-1);
    }, PAUSE);
  }
  function choose(name) {
    onInput(name);
    onChoose?.(name);
    close();
  }
  function press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && open && names.length) {
      point((active + step + names.length + (active < 0 && step < 0 ? 1 : 0)) % names.length);
    } else if (step) {
      ask(value);
    } else if (event.key === 'Enter' && open && active >= 0) {
      choose(names[active]);
    } else {
      if (event.key === 'Escape' && open) event.preventDefault();
      if (['Escape', 'Enter', 'Tab'].includes(event.key)) close();
      return;
    }
    event.preventDefault();
  }
  return html`
    <div class="combobox">
      <label for=${id}>${label}</label>
      <div class="with-icon">
        ${icon}
        <input id=${id} type="text" role="combobox" autocomplete="off" spellcheck=${false}
          placeholder=${hint} value=${value}
          aria-autocomplete="list" aria-expanded=${open && names.length > 0} aria-controls=${list}
          aria-activedescendant=${active >= 0 ? `${list}-${active}` : undefined}
          onInput=${(event) => { onInput(event.target.value); ask(event.target.value); }}
          onKeyDown=${press} onBlur=${close} ...${others} />
      </div>
      ${children}
      <ul id=${list} role="listbox" aria-label=${label} hidden=${!open || !names.length}>
        ${names.map((name, number) => html`
          <li id="${list}-${number}" role="option" aria-selected=${number === active}
            onMouseDown=${(event) => { event.preventDefault(); choose(name); }}>${name}</li>`)}
      </ul>
      <span class="unseen" role="status">${open && (names.length ? t('suggestions', { n: names.length }) : t('noSuggestion'))}</span>
    </div>`;
}
