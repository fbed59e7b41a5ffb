// The form for the logo and the photos of a business.
import { get, put, remove, request } from '../api.js';
import { Question } from '../parts/dialog.js';
import { Loaded, Trouble, useAction, useLoad } from '../parts/load.js';
import { Button, Empty, Note, say } from '../parts/page.js';
import { t } from '../texts/gestion.js';
import { html, useRef, useState } from '../vendor/htm-3.1.1.js';
import { imageOf } from '../views/offered/photos.js';
import { pathOf } from './frame.js';

/** @import { Photo } from '../views/offered/types.js' */

const MOST = 12; // maximum number of photos; a new logo replaces the old logo
const LARGE = 4 * 2 ** 20; // bytes. The browser shrinks larger pictures before the upload.
const LONGEST = 2400; // maximum width and height of a shrunk picture, in pixels
const TAKES_PHOTOS = 'photos' in document.documentElement.dataset;

/** @param {{ id: string }} props */
export function Photos({ id }) {
  const path = `${pathOf(id)}/photos`;
  const photos = useLoad(() => get(path), [path]);
  return html`
    ${!TAKES_PHOTOS && html`<${Note} icon="info">${t('noPhotosHere')}<//>`}
    <${Loaded} from=${photos}>${(/** @type {Photo[]} */ found) => html`
      <${Section} title=${t('logo')} help=${t('logoHelp')} genre="logo"
        ...${{ found, path, again: photos.again }} />
      <${Section} title=${t('photos')} help=${t('photosHelp')} genre="photo"
        ...${{ found, path, again: photos.again }} />`}<//>`;
}

/** @param {File} file @returns {Promise<Blob>} */
async function smaller(file) {
  if (file.size <= LARGE) return file;
  const image = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
  return blob ?? file;
}

/**
 * @param {{ title: string, help: string, genre: Photo['genre'], found: Photo[], path: string,
 *   again: () => void }} props
 */
function Section({ title, help, genre, found, path, again }) {
  const photos = found.filter((one) => one.genre === genre);
  const upload = useAction(async (/** @type {File[]} */ files) => {
    try {
      for (const file of files) {
        const body = await smaller(file).catch(() => file);
        await request('POST', path, { body, query: { genre } });
      }
      say(t('photoAdded'));
    } finally {
      again();
    }
  });
  /** @param {{ target: HTMLInputElement }} event */
  const choose = ({ target }) => {
    upload.run([...(target.files ?? [])]);
    target.value = '';
  };
  /** @param {Event} event */
  const stop = (event) => upload.busy && event.preventDefault();
  const full = genre === 'photo' && photos.length >= MOST;
  const field = html`
    <div class="field">
      <label for="add-${genre}">${t(genre === 'logo' ? 'chooseLogo' : 'addPhotos')}</label>
      <input id="add-${genre}" type="file" accept="image/jpeg,image/png,image/webp"
        multiple=${genre === 'photo'} onChange=${choose} onClick=${stop}
        aria-disabled=${upload.busy} />
      <p class="hint">${upload.busy ? t('sendingPhoto') : t('photoRules')}</p>
    </div>`;
  return html`
    <section class="card stack" aria-labelledby="title-${genre}">
      <h2 id="title-${genre}">${title}</h2>
      <p class="muted">${help}</p>
      ${!photos.length && html`<${Empty}>${t('noPhoto')}<//>`}
      <ul class="photos">
        ${photos.map(
          (photo, n) => html`
          <li key=${photo.id}>
            <${One} ...${{ photo, isFirst: n === 0, path, again }} />
          </li>`,
        )}
      </ul>
      ${TAKES_PHOTOS && !full && field}
      <${Trouble} ...${upload.failed} />
    </section>`;
}

/** @param {{ photo: Photo, isFirst: boolean, path: string, again: () => void }} props */
function One({ photo, isFirst, path, again }) {
  const [removing, setRemoving] = useState(false);
  const isThis = (/** @type {Photo} */ { id }) => id === photo.id;
  /**
   * Changes photos. First reads the photos again, because the API refuses outdated versions.
   * `changes` receives the photos just read, and returns the changed photos.
   * @param {(now: Photo[]) => Photo[]} changes
   */
  const change = async (changes) => {
    for (const { id, texte, ordre, version } of changes(await get(path))) {
      await put(`api/photos/${id}`, { texte, ordre, version });
    }
    again();
  };
  const text = useRef(/** @type {HTMLInputElement | null} */ (null));
  const save = useAction(async () => {
    let texte = '';
    do {
      texte = text.current?.value ?? texte;
      await change((now) => [{ ...(now.find(isThis) ?? photo), texte }]);
    } while (text.current && text.current.value !== texte); // changed while it was being saved
    say(t('saved'));
  });
  const move = useAction(() =>
    change((now) => {
      const row = now.filter(({ genre }) => genre === photo.genre);
      const at = row.findIndex(isThis);
      if (at > 0) row.splice(at - 1, 2, row[at], row[at - 1]);
      // Numbers all photos, because an interrupted move leaves two photos with the same `ordre`.
      return row.flatMap((one, ordre) => (one.ordre === ordre ? [] : { ...one, ordre }));
    }),
  );
  const removed = () => {
    setRemoving(false);
    again();
  };
  const question = html`
    <${Question} title=${t('removePhotoSure')} action=${t('removePhoto')}
      send=${() => remove(`api/photos/${photo.id}`)} onDone=${removed}
      onClose=${() => setRemoving(false)} />`;
  const id = `photo-${photo.id}`;
  const earlier = html`
    <${Button} class="small" icon="left" onClick=${move.run}>${t('photoEarlier')}<//>`;
  return html`
    <img ...${imageOf(photo, 240)} alt="" />
    <div class="field">
      <label for=${id}>${t('description')}</label>
      <input id=${id} ref=${text} maxlength="200" defaultValue=${photo.texte}
        aria-describedby="${id}-hint" onChange=${() => save.run()} />
      <p class="hint" id="${id}-hint">${t('photoTextHint')}</p>
    </div>
    <div class="row">
      ${!isFirst && earlier}
      <${Button} class="small" icon="bin" onClick=${() => setRemoving(true)}>
        ${t('removePhoto')}
      <//>
    </div>
    <${Trouble} ...${save.failed ?? move.failed} />
    ${removing && question}`;
}
