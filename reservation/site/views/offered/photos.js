// The photos and the logo of a business.
import { t } from '../../texts/booking.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { Photo } from './types.js' */

const SIZES = [320, 800, 1600];

/**
 * Returns the URL of the file that is at most `size` pixels wide and high.
 * @param {Photo} photo
 * @param {number} size one of SIZES
 */
const fileOf = ({ adresse }, size) => adresse.replace('{taille}', String(size));

/**
 * Returns the attributes of an <img> that is `width` CSS pixels wide.
 * @param {Photo} photo
 * @param {number} width
 */
export function imageOf(photo, width) {
  const longest = Math.max(photo.largeur, photo.hauteur);
  /** @param {number} size */
  const widthOf = (size) => Math.round((photo.largeur * Math.min(size, longest)) / longest);
  return {
    src: fileOf(photo, 800),
    srcset: SIZES.map((size) => `${fileOf(photo, size)} ${widthOf(size)}w`).join(', '),
    sizes: `${width}px`,
    width: photo.largeur,
    height: photo.hauteur,
    decoding: 'async',
  };
}

/**
 * A row of photos. Each photo links to its large file.
 * @param {{ photos: Photo[], name: string }} props
 */
export function Gallery({ photos, name }) {
  const shown = photos.filter(({ genre }) => genre === 'photo');
  if (!shown.length) return null;
  return html`
    <ul class="gallery">
      ${shown.map(
        (one, n) => html`
        <li key=${one.id}>
          <a href=${fileOf(one, 1600)} target="_blank">
            <img ...${imageOf(one, 400)} loading=${n > 2 ? 'lazy' : 'eager'}
              alt=${one.texte || t('photoOf', { name, n: n + 1 })} />
          </a>
        </li>`,
      )}
    </ul>`;
}

/** @param {{ photos: Photo[], name: string }} props */
export function Logo({ photos, name }) {
  const logo = photos.find(({ genre }) => genre === 'logo');
  return (
    logo &&
    html`<img class="logo" ...${imageOf(logo, 72)} alt=${logo.texte || t('logoOf', { name })} />`
  );
}
