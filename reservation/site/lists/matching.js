// Finds typed words in texts. Case and accents do not matter.

/** Returns `text` in lower case without accents. @param {string} text */
export const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Returns whether each word of `q` occurs in at least one of the texts.
 * @param {string} q
 * @param {unknown[]} texts
 */
export function matches(q, ...texts) {
  const whole = folded(texts.join(' '));
  return folded(q)
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
