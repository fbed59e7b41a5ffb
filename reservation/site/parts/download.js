// Saves files that require a token. A plain link would not send the token.
import { lost, send } from '../api.js';

/** Saves the file at `path` of the API. @param {string} path @param {string} name */
export const saveFrom = async (path, name) =>
  save(await (await send('GET', path)).blob().catch(lost), name);

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
