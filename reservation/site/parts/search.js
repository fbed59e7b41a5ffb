// The field that searches a list while the visitor types; the address keeps `q`.
import { setQuery } from '../router.js';
import { html, useRef } from '../vendor/htm-3.1.1.js';

const PAUSE = 250; // ms without a key before the list is searched

/** @param {{ q: string, label: string, hint?: string }} props */
export function Search({ q, label, hint }) {
  const timer = useRef(0);
  /** @param {{ target: HTMLInputElement }} event */
  const find = ({ target }) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery({ q: target.value.trim() }), PAUSE);
  };
  return html`
    <div class="field" role="search">
      <label for="search-list">${label}</label>
      <input id="search-list" type="search" defaultValue=${q} autocomplete="off"
        placeholder=${hint} onInput=${find} />
    </div>`;
}
