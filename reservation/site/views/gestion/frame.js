// The frame of a business's own pages: its name, the way to its other pages, and the business as
// it is now. A view of the owner's draws <Managed …>${(entreprise, changed) => …}<//>.
import { html, useEffect, useState } from '../../vendor/htm-3.1.1.js';
import { get, recall, remember, session } from '../../api.js';
import { Icon, Loaded, Page, useLoad } from '../../parts/page.js';
import { t } from '../../texts.js';
import '../../parts/signin.js'; // its texts
import '../../texts/gestion.js';
import '../../texts/booking.js';

await new Promise((ready) => {
  const href = new URL('../../gestion.css', import.meta.url).href;
  document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: ready, onerror: ready }));
});

const PAGES = [
  ['jour', 'pageDay', 'clock'], ['semaine', 'pageWeek', 'calendar'],
  ['prestations', 'pageServices', 'list'], ['horaires', 'pageHours', 'hours'],
  ['fermetures', 'pageClosures', 'closed'], ['regles', 'pageRules', 'rules'],
  ['messages', 'pageMessages', 'mail'], ['chiffres', 'pageFigures', 'chart'], ['partager', 'pageShare', 'share'],
];

export const pathOf = (id) => `api/entreprises/${id}`;

/** The business, for its owner or an admin; for others it is as if there were no such page. */
async function owned(id) {
  const entreprise = await get(pathOf(id));
  const { user } = session();
  if (user.role !== 'admin' && user.id !== entreprise.proprietaireId) throw Object.assign(new Error(), { status: 403 });
  remember(pathOf(id), entreprise);
  return entreprise;
}

/** `page` is the last part of its address; `lead` may say more. */
export function Managed({ id, page, title, lead, children }) {
  const business = useLoad(() => owned(id), [id]);
  const changed = (entreprise) => {
    remember(pathOf(id), entreprise);
    business.set(entreprise);
  };
  const [, label] = PAGES.find(([one]) => one === page);
  const name = (business.value ?? recall(pathOf(id)))?.nom;
  return html`
    <div class="manage">
      <${Side} id=${id} page=${page} name=${name} />
      <${Page} title=${title ?? t(label)} within=${name} lead=${lead} size="wide">
        <${Loaded} from=${business}>${(entreprise) => children(entreprise, changed, business.again)}<//>
      <//>
    </div>`;
}

function Side({ id, page, name }) {
  const [open, unfold] = useState(false);
  const [, label] = PAGES.find(([one]) => one === page);
  useEffect(() => unfold(false), [page]);
  return html`
    <nav class="side" aria-label=${t('manageNavigation')}>
      <p class="of"><a href="gestion" aria-label=${t('allBusinesses')}><${Icon} name="left" /></a><b>${name ?? '…'}</b></p>
      <button type="button" class="pages" aria-expanded=${open} aria-controls="pages" onClick=${() => unfold(!open)}>
        ${t(label)}<${Icon} name=${open ? 'close' : 'menu'} />
      </button>
      <ul id="pages" class=${open ? 'open' : ''}>
        ${PAGES.map(([one, text, icon]) => html`
          <li><a href="gestion/${id}/${one}" aria-current=${one === page && 'page'}><${Icon} name=${icon} />${t(text)}</a></li>`)}
      </ul>
    </nav>`;
}
