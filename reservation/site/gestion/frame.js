// The frame of a business's pages: its name, the menu, and the business as it is now.
import { forget, get, Refusal, recall, remember, session } from '../api.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Button, Icon, Page } from '../parts/page.js';
import { teamPath } from '../parts/people.js';
import { ROUTES } from '../router.js';
import { t } from '../texts/gestion.js';
import { html, useEffect, useState } from '../vendor/htm-3.1.1.js';

/** @import { Entreprise, Ressource } from '../types.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */

/**
 * A business and its persons and rooms, also those that are retired.
 * @typedef {{ entreprise: Entreprise, team: Ressource[] }} Owned
 */

/**
 * What the pages of a business get: `changed` shows a new version of it, `reload` reads it again.
 * @typedef {Owned & { changed: (saved: Entreprise) => void, reload: () => void }} Manage
 */

const MENU = ROUTES.flatMap(({ path, label, icon }) =>
  label && icon ? [{ page: path.split('/').at(-1) ?? '', label, icon }] : [],
);

/**
 * Returns the text of a page: a business without a team is invited to add a person.
 * @param {string} page
 * @param {Ressource[]} [team]
 */
const labelOf = (page, team) =>
  t(
    page === 'equipe' && !team?.length
      ? 'addPerson'
      : (MENU.find((entry) => entry.page === page)?.label ?? 'pageDay'),
  );

/** @param {string | number} id */
export const pathOf = (id) => `api/entreprises/${id}`;

/** @param {string} id */
const managedTeam = (id) => `${teamPath(id)}&toutes=1`;

/**
 * Reads a business that the user may manage.
 * @param {string} id
 * @returns {Promise<Owned>}
 */
async function owned(id) {
  const entreprise = await get(pathOf(id));
  const user = session.get()?.user;
  if (user?.role !== 'admin' && user?.id !== entreprise.proprietaireId) {
    throw new Refusal(403, 'not_permitted');
  }
  const team = await get(managedTeam(id));
  remember(pathOf(id), entreprise);
  remember(managedTeam(id), team);
  forget(teamPath(id)); // the customer's pages read it again
  return { entreprise, team };
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
    if (business.value) business.set({ ...business.value, entreprise });
  };
  const name = (business.value?.entreprise ?? recall(pathOf(id)))?.nom;
  const team = business.value?.team ?? recall(managedTeam(id));
  return html`
    <div class="manage">
      <${Side} ...${{ id, page, name, team }} />
      <${Page} title=${labelOf(page, team)} within=${name} lead=${lead} size="wide">
        <${Loaded} from=${business}>${(/** @type {Owned} */ owned) =>
          children({ ...owned, changed, reload: business.again })}<//>
      <//>
    </div>`;
}

/** @param {{ id: string, page: string, name?: string, team?: Ressource[] }} props */
function Side({ id, page, name, team }) {
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
        ${labelOf(page, team)}<${Icon} name=${open ? 'close' : 'menu'} />
      <//>
      <ul id="pages" class=${open ? 'open' : ''}>
        ${MENU.map(
          (entry) => html`
          <li>
            <a href="gestion/${id}/${entry.page}" aria-current=${entry.page === page && 'page'}>
              <${Icon} name=${entry.icon} />${labelOf(entry.page, team)}
            </a>
          </li>`,
        )}
      </ul>
    </nav>`;
}
