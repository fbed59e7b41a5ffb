// A table with sortable columns, and a search field.
import { Button } from '../parts/page.js';
import { t } from '../texts/gestion.js';
import { language } from '../texts.js';
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';

const PAUSE = 250; // ms between the last keystroke and the search

/**
 * `by` returns the sort key of an item. A `minor` column is hidden on phones.
 * @typedef {object} Column
 * @property {string} label
 * @property {(item: any) => unknown} cell
 * @property {(item: any) => string | number} [by]
 * @property {boolean} [minor]
 * @property {boolean} [number]
 */

/** @typedef {{ column: number, down: boolean }} Order */

/**
 * Sorts the items by the column of `order`. If `order` is null, returns the items unchanged.
 * @param {any[]} items
 * @param {Column[]} columns
 * @param {Order | null} order
 */
function inOrder(items, columns, order) {
  const by = order && columns[order.column]?.by;
  if (!by) return items;
  const compare = new Intl.Collator(language.get(), { numeric: true }).compare;
  const up = items.toSorted((a, b) => {
    const [one, other] = [by(a), by(b)];
    return typeof one === 'number' ? one - Number(other) : compare(one, String(other));
  });
  return order.down ? up.reverse() : up;
}

/**
 * @typedef {{ caption: string, columns: Column[], items: any[], order?: Order | null,
 *   onOrder?: (order: Order) => void }} RowsProps
 */

/**
 * A table. With `onOrder`, the caller keeps the order of the rows. Otherwise, the table does.
 * @param {RowsProps} props
 */
export function Rows({ caption, columns, items, order = null, onOrder }) {
  const [own, setOwn] = useState(/** @type {Order | null} */ (null));
  const current = onOrder ? order : own;
  const choose = onOrder ?? setOwn;
  /** @param {Column} column */
  const kind = ({ by, minor, number }) =>
    [!by && 'plain', minor && 'minor', number && 'number'].filter(Boolean).join(' ');
  /** @param {Column} column @param {number} n */
  const head = (column, n) => {
    const isCurrent = current?.column === n;
    const next = { column: n, down: isCurrent && !current.down };
    const direction = isCurrent && (current.down ? 'descending' : 'ascending');
    return html`
      <th scope="col" class=${kind(column)} aria-sort=${direction || undefined}>
        ${
          column.by
            ? html`<${Button} class="sort" onClick=${() => choose(next)}>${column.label}<//>`
            : column.label
        }
      </th>`;
  };
  return html`
    <div class="card rows">
      <table>
        <caption class="unseen">${caption}</caption>
        <thead><tr>${columns.map(head)}</tr></thead>
        <tbody>
          ${inOrder(items, columns, current).map(
            (item) => html`
            <tr key=${item.id}>
              ${columns.map((column, n) =>
                n
                  ? html`
                  <td class=${kind(column)} data-label=${column.number && column.label}>
                    ${column.cell(item)}
                  </td>`
                  : html`<th scope="row">${column.cell(item)}</th>`,
              )}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

/** @param {{ name: string, removal: string, onEdit: () => void, onRemove: () => void }} props */
export const RowActions = ({ name, removal, onEdit, onRemove }) => html`
  <div class="row end">
    <${Button} icon="edit" class="round" title=${t('edit')} aria-label=${t('editOf', { name })}
      onClick=${onEdit} />
    <${Button} icon="bin" class="round danger" title=${removal}
      aria-label=${`${removal} ${name}`} onClick=${onRemove} />
  </div>`;

/**
 * @param {{ id: string, label: string, hint?: string, q?: string,
 *   onFind: (q: string) => void }} props
 */
export function Find({ id, label, hint, q, onFind }) {
  const timer = useRef(0);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => () => clearTimeout(timer.current), []); // cancels the search on unmount
  useEffect(() => {
    const isTyping = document.activeElement === field.current;
    if (field.current && q !== undefined && !isTyping) field.current.value = q;
  }, [q]);
  /** @param {{ target: HTMLInputElement }} event */
  const find = ({ target }) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onFind(target.value.trim()), PAUSE);
  };
  return html`
    <div class="find" role="search">
      <label class="unseen" for=${id}>${label}</label>
      <input id=${id} ref=${field} type="search" defaultValue=${q} autocomplete="off"
        placeholder=${hint ?? label} onInput=${find} />
    </div>`;
}
