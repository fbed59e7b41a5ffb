// Files that a link cannot fetch, because it would not carry the token.

/**
 * Has the browser save a file.
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
