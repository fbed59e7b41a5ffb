// The frame of a business's pages: its name, the menu, and the business as it is now.
import { get, Refusal, recall, remember, session } from '../api.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Button, Icon, Page } from '../parts/page.js';
import { ROUTES } from '../router.js';
import { t } from '../texts/gestion.js';
import { html, useEffect, useState } from '../vendor/htm-3.1.1.js';

/** @import { Entreprise } from '../types.js' */
/** @import { ManageLabel } from '../router.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */

/**
 * What the pages of a business get: `changed` shows a new version of it, `reload` reads it again.
 * @typedef {{ entreprise: Entreprise, changed: (saved: Entreprise) => void, reload: () => void }}
 *   Manage
 */

const MENU = ROUTES.flatMap(({ path, label, icon }) =>
  label && icon ? [{ page: path.split('/').at(-1) ?? '', label, icon }] : [],
);

/** @param {string} page @returns {ManageLabel} */
const labelOf = (page) => MENU.find((entry) => entry.page === page)?.label ?? 'pageDay';

/** @param {string | number} id */
export const pathOf = (id) => `api/entreprises/${id}`;

/**
 * Reads a business that the user may manage.
 * @param {string} id
 * @returns {Promise<Entreprise>}
 */
async function owned(id) {
  const entreprise = await get(pathOf(id));
  const user = session.get()?.user;
  if (user?.role !== 'admin' && user?.id !== entreprise.proprietaireId) {
    throw new Refusal(403, 'not_permitted');
  }
  remember(pathOf(id), entreprise);
  return entreprise;
}

/**
 * A page of a business: `page` is the last part of its address, `children` draws the rest.
 * @param {{ id: string, page: string, lead?: string, children: (manage: Manage) => VNode }} props
 */
export function Managed({ id, page, lead, children }) {
  const business = useLoad(() => owned(id), [id]);
  /** @param {Entreprise} entreprise */
  const changed = (entreprise) => {
    remember(pathOf(id), entreprise);
    business.set(entreprise);
  };
  const name = (business.value ?? recall(pathOf(id)))?.nom;
  return html`
    <div class="manage">
      <${Side} id=${id} page=${page} name=${name} />
      <${Page} title=${t(labelOf(page))} within=${name} lead=${lead} size="wide">
        <${Loaded} from=${business}>${(/** @type {Entreprise} */ entreprise) =>
          children({ entreprise, changed, reload: business.again })}<//>
      <//>
    </div>`;
}

/** @param {{ id: string, page: string, name?: string }} props */
function Side({ id, page, name }) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [page]);
  return html`
    <nav class="side" aria-label=${t('manageNavigation')}>
      <p class="of">
        <a href="gestion" aria-label=${t('allBusinesses')}><${Icon} name="left" /></a>
        <b>${name ?? '…'}</b>
      </p>
      <${Button} class="pages" aria-expanded=${open} aria-controls="pages"
        onClick=${() => setOpen(!open)}>
        ${t(labelOf(page))}<${Icon} name=${open ? 'close' : 'menu'} />
      <//>
      <ul id="pages" class=${open ? 'open' : ''}>
        ${MENU.map(
          (entry) => html`
          <li>
            <a href="gestion/${id}/${entry.page}" aria-current=${entry.page === page && 'page'}>
              <${Icon} name=${entry.icon} />${t(entry.label)}
            </a>
          </li>`,
        )}
      </ul>
    </nav>`;
}
