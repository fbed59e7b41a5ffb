// Values that components share, and access to localStorage and sessionStorage.
import { useEffect, useState } from './vendor/htm-3.1.1.js';

/**
 * Creates a shared value. `get` returns the value. `set` redraws the components that called `use`.
 * @template T
 * @param {T} initial
 */
export function store(initial) {
  let value = initial;
  /** @type {Set<(value: T) => void>} */
  const followers = new Set();
  return {
    get: () => value,

    /** @param {T} next */
    set(next) {
      value = next;
      for (const follow of followers) follow(value);
    },

    use() {
      const [shown, setShown] = useState(value);
      useEffect(() => {
        followers.add(setShown);
        setShown(value); // the value may have changed since the component was drawn
        return () => {
          followers.delete(setShown);
        };
      }, []);
      return shown;
    },
  };
}

/** @typedef {'localStorage' | 'sessionStorage'} Area */

// The fallback if the browser denies access to its storage, for example in an <iframe>.
/** @type {Map<string, string>} */
const memory = new Map();

/**
 * @param {Area} area
 * @param {string} name
 */
export function readStored(area, name) {
  try {
    return window[area].getItem(name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

/**
 * @param {Area} area
 * @param {string} name
 * @param {string | null} text null removes the entry
 */
export function writeStored(area, name, text) {
  if (text === null) memory.delete(name);
  else memory.set(name, text);
  try {
    if (text === null) window[area].removeItem(name);
    else window[area].setItem(name, text);
  } catch {} // `memory` has the text
}
