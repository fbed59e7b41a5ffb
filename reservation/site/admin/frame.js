// The frame of the admin pages: heading, tabs and access check.
import { Refusal, session } from '../api.js';
import { Trouble } from '../parts/load.js';
import { Page } from '../parts/page.js';
import { t } from '../texts/admin.js';
import { html } from '../vendor/htm-3.1.1.js';

/** @import { VNode } from '../vendor/htm-3.1.1.js' */

const TABS = /** @type {const} */ ([
  ['admin', 'businesses'],
  ['admin/comptes', 'accounts'],
  ['admin/messages', 'messages'],
  ['admin/installation', 'installation'],
]);

/**
 * An admin page. `path` is the address of its tab.
 * @param {{ path: string, children?: VNode }} props
 */
export function Console({ path, children }) {
  const title = t(TABS.find(([to]) => to === path)?.[1] ?? 'businesses');
  if (session.use()?.user.role !== 'admin') {
    return html`
      <${Page} title=${title} size="narrow">
        <${Trouble} error=${new Refusal(403, 'not_permitted')} />
      <//>`;
  }
  return html`
    <${Page} title=${title} within=${t('navAdmin')} size="wide">
      <nav class="tabs" aria-label=${t('navAdmin')}>
        ${TABS.map(
          ([to, label]) => html`
          <a class="button" href=${to} aria-current=${to === path && 'page'}>${t(label)}</a>`,
        )}
      </nav>
      ${children}
    <//>`;
}
