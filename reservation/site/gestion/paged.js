// A table of a list that is read page by page.
import { More } from '../lists/pages.js';
import { Loaded } from '../parts/load.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Rows } from './rows.js';

/** @import { ListPage } from '../lists/reading.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */
/** @import { RowsProps } from './rows.js' */

/**
 * Shows the items as `Rows` does, or `none` if the list is empty.
 * @param {Omit<RowsProps, 'items'> & { pages: Parameters<typeof More>[0]['pages'],
 *   none: VNode }} props
 */
export const PagedRows = ({ pages, none, ...table }) => html`
  <${Loaded} from=${pages.list} lines=${5}>${(/** @type {ListPage<any>} */ { items }) => html`
    ${items.length ? html`<${Rows} ...${table} items=${items} />` : none}
    <${More} pages=${pages} />`}<//>`;
