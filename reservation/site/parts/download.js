// Saving files that need a token, which a link does not send.

/**
 * Makes the browser save a file.
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
