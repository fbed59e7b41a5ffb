// Moving between the blocks of the grid with the keyboard.

/**
 * Returns the block that a key leads to from the focused block.
 * @param {HTMLElement} grid
 * @param {KeyboardEvent} event
 */
export function neighbour(grid, { key, target }) {
  const columns = [...grid.querySelectorAll('.day')].map((day) => [
    .../** @type {NodeListOf<HTMLElement>} */ (day.querySelectorAll('.slot')),
  ]);
  const focused = /** @type {HTMLElement} */ (target);
  const at = columns.findIndex((column) => column.includes(focused));
  if (at < 0) return undefined;
  const column = columns[at];
  const row = column.indexOf(focused);
  if (key === 'ArrowDown') return column[row + 1];
  if (key === 'ArrowUp') return column[row - 1];
  if (key === 'ArrowRight') return nearest(columns.slice(at + 1), focused);
  if (key === 'ArrowLeft') return nearest(columns.slice(0, at).reverse(), focused);
  if (key === 'Home') return column[0];
  if (key === 'End') return column.at(-1);
  return undefined;
}

/**
 * Returns the block of the next day with blocks that starts nearest to the focused one.
 * @param {HTMLElement[][]} columns
 * @param {HTMLElement} focused
 */
function nearest(columns, focused) {
  /** @param {HTMLElement} slot */
  const distance = (slot) => Math.abs(Number(slot.dataset.from) - Number(focused.dataset.from));
  return columns
    .find((column) => column.length)
    ?.reduce((best, slot) => (distance(slot) < distance(best) ? slot : best));
}
