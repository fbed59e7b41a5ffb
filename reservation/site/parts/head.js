// Scripts and style sheets that only some pages need.
import { notLoaded } from '../api.js';

/** @type {Map<string, Promise<unknown>>} */
const loading = new Map();

/**
 * Loads a script or a style sheet once. After a failure, the next call tries again. With `first`,
 * the style sheet comes before the site's style sheets, so that the site's rules win.
 * @param {URL} url
 * @param {{ first?: boolean }} [options]
 */
export function loadOnce({ href }, { first = false } = {}) {
  const known = loading.get(href);
  if (known) return known;
  const element = href.endsWith('.css')
    ? Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    : Object.assign(document.createElement('script'), { src: href });
  const loaded = new Promise((resolve, reject) => {
    element.onload = resolve;
    element.onerror = () => {
      element.remove();
      loading.delete(href);
      notLoaded().catch(reject);
    };
    document.head[first ? 'prepend' : 'append'](element);
  });
  loading.set(href, loaded);
  return loaded;
}
