// A card of a list of settings, with buttons to edit and to remove.
import { Button } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { VNode } from '../../vendor/htm-3.1.1.js' */

/**
 * @param {{ name: string, badge?: VNode, facts: string, description: string, onEdit: () => void,
 *   onRemove: () => void, removal: string, removalOf: string }} props
 */
export const EntryCard = ({ name, badge, facts, description, ...actions }) => html`
  <article class="card spread">
    <div class="stack tight grow">
      <div class="row"><h2>${name}</h2>${badge}</div>
      <p class="muted">${facts}</p>
      ${description && html`<p class="small">${description}</p>`}
    </div>
    <div class="row">
      <${Button} icon="edit" class="small" aria-label=${t('editOf', { name })}
        onClick=${actions.onEdit}>${t('edit')}<//>
      <${Button} class="small danger" aria-label=${actions.removalOf} onClick=${actions.onRemove}>
        ${actions.removal}
      <//>
    </div>
  </article>`;
