// Reads lists from the API, page by page.
import { lost, send } from '../api.js';

/** @import { Query } from '../api.js' */

/**
 * One page of a list. `next` is the query of the next page, or null on the last page.
 * @template T
 * @typedef {{ items: T[], next: Query | null }} ListPage
 */

/**
 * @param {string} path
 * @param {Query} query
 * @returns {Promise<ListPage<any>>}
 */
export async function page(path, query) {
  const answer = await send('GET', path, { query });
  const link = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('Link') ?? '');
  const next = link && Object.fromEntries(new URL(link[1], document.baseURI).searchParams);
  return { items: await answer.json().catch(lost), next };
}

/**
 * Reads all pages of a list.
 * @param {string} path
 * @param {Query} [query]
 */
export async function all(path, query) {
  const items = [];
  for (let next = /** @type {Query | null} */ ({ limite: 200, ...query }); next; ) {
    const read = await page(path, next);
    items.push(...read.items);
    next = read.next;
  }
  return items;
}
