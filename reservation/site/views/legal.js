// Pages /mentions-legales and /confidentialite: the operator's legal notice and privacy page.
import { get } from '../api.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Page } from '../parts/page.js';
import { place } from '../router.js';
import { language } from '../texts.js';
import { html } from '../vendor/htm-3.1.1.js';

/** @import { VNode } from '../vendor/htm-3.1.1.js' */

/** @typedef {{ titre: string, paragraphes: { texte: string, titre: boolean }[] }} TextPage */

/** @returns {VNode} */
export default function View() {
  const { path } = place.use();
  const langue = language.use();
  const read = () => /** @type {Promise<TextPage>} */ (get(`api/pages/${path}`, { langue }));
  const page = useLoad(read, [path, langue]);
  return html`
    <${Loaded} from=${page} whole>
      ${(/** @type {TextPage} */ { titre, paragraphes }) => html`
        <${Page} title=${titre} size="narrow">
          <div class="card stack">
            ${paragraphes.map((one) => html`<${one.titre ? 'h2' : 'p'}>${one.texte}<//>`)}
          </div>
        <//>`}
    <//>`;
}
