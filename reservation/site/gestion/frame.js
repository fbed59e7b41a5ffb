// The frame of all pages that manage a business. The frame loads the business and shows the title
// and the menu.
import { cache, get, Refusal, session } from '../api.js';
import { all } from '../lists/reading.js';
import { Loaded, Trouble, useLoad } from '../parts/load.js';
import { Button, Icon, Page } from '../parts/page.js';
import { teamPath } from '../parts/people.js';
import { ROUTES } from '../router.js';
import { t } from '../texts/calendar.js';
import { html, useEffect, useState } from '../vendor/htm-3.1.1.js';

/** @import { Entreprise, Ressource } from '../types.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */

/**
 * A business and its persons and rooms.
 *
 * If the user may manage the business, `team` includes persons and rooms that no longer take
 * bookings. If the user only runs the calendar of one person, `staff` is that person. `calendarOf`
 * then marks all other entries of `team` as inactive, so that the calendar offers only `staff`.
 * @typedef {{ entreprise: Entreprise, team: Ressource[], staff?: Ressource }} Owned
 */

/**
 * The properties of each page of a business. A page that saves the business calls `changed` with
 * the saved business. `reload` reads the business again.
 * @typedef {Owned & { changed: (saved: Entreprise) => void,
 *   reload: () => Promise<void> }} Manage
 */

const MENU = ROUTES.flatMap(({ path, label, icon }) =>
  label && icon ? [{ page: path.split('/').at(-1) ?? '', label, icon }] : [],
);

/**
 * Returns the label of a page. If `team` is empty or unknown, the page "equipe" has the label "Add
 * a person".
 * @param {string} page
 * @param {Ressource[]} [team]
 */
const labelOf = (page, team) =>
  t(
    page === 'equipe' && !team?.length
      ? 'addPerson'
      : (MENU.find((entry) => entry.page === page)?.label ?? 'calendar'),
  );

/** @param {string | number} id */
export const pathOf = (id) => `api/entreprises/${id}`;

/**
 * Returns the API path for a list of the first 200 persons and rooms, active or inactive.
 * @param {number | string} id
 */
export const managedTeam = (id) => `${teamPath(id)}&toutes=1`;

/**
 * Reads a business and its team.
 * @param {string} id
 * @returns {Promise<Owned>}
 */
async function owned(id) {
  const entreprise = await get(pathOf(id));
  if (!manages(entreprise)) return { entreprise, ...(await calendarOf(id)) };
  const team = await get(managedTeam(id));
  cache.set(pathOf(id), entreprise);
  cache.set(managedTeam(id), team);
  cache.delete(teamPath(id)); // pages for customers must not show the cached team
  return { entreprise, team };
}

/** Returns whether the user may manage the business. @param {Entreprise} entreprise */
export function manages({ proprietaireId }) {
  const user = session.get()?.user;
  return user?.role === 'admin' || user?.id === proprietaireId;
}

const OF_STAFF = 'agenda'; // the only page for a user who runs the calendar of one person

/**
 * Returns `staff`, the person whose calendar the user runs, and `team`, in which only `staff` is
 * marked as active. Throws a Refusal if the user runs no calendar of the business.
 * @param {string | number} id of the business
 */
export async function calendarOf(id) {
  /** @type {[Ressource[], Ressource[]]} */
  const [own, members] = await Promise.all([all('api/compte/ressources'), get(teamPath(id))]);
  const staff = own.find(({ entrepriseId }) => entrepriseId === Number(id));
  if (!staff) throw new Refusal(403, 'not_permitted');
  return { staff, team: members.map((one) => ({ ...one, actif: one.id === staff.id })) };
}

/**
 * A page of a business. `page` is the last segment of the path of the page, such as 'agenda'.
 * @param {{ id: string, page: string, lead?: string, children: (manage: Manage) => VNode }} props
 */
export function Managed({ id, page, lead, children }) {
  const business = useLoad(() => owned(id), [id]);
  /** @param {Entreprise} entreprise */
  const changed = (entreprise) => {
    cache.set(pathOf(id), entreprise);
    if (business.value) business.set({ ...business.value, entreprise });
  };
  const name = (business.value?.entreprise ?? cache.get(pathOf(id)))?.nom;
  const team = business.value?.team ?? cache.get(managedTeam(id));
  return html`
    <div class="manage">
      <${Side} ...${{ id, page, name, team }} staff=${business.value?.staff} />
      <${Page} title=${labelOf(page, team)} within=${name} lead=${lead} size="wide">
        <${Loaded} from=${business}>${(/** @type {Owned} */ owned) =>
          owned.staff && page !== OF_STAFF
            ? html`<${Trouble} error=${new Refusal(403, 'not_permitted')} />`
            : children({ ...owned, changed, reload: business.again })}<//>
      <//>
    </div>`;
}

/**
 * @param {{ id: string, page: string, name?: string, team?: Ressource[],
 *   staff?: Ressource }} props
 */
function Side({ id, page, name, team, staff }) {
  const menu = MENU.filter((entry) => !staff || entry.page === OF_STAFF);
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [page]);
  return html`
    <nav class="side" aria-label=${t('manageNavigation')}>
      <p class="of">
        <a href="gestion" aria-label=${t('allBusinesses')}><${Icon} name="left" /></a>
        <b class="clamp">${name ?? '…'}</b>
      </p>
      <${Button} class="pages" aria-expanded=${open} aria-controls="pages"
        onClick=${() => setOpen(!open)}>
        ${labelOf(page, team)}<${Icon} name=${open ? 'close' : 'menu'} />
      <//>
      <ul id="pages" class=${open ? 'open' : ''}>
        ${menu.map(
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
