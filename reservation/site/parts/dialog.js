// A window over the page, by the browser's own <dialog>: it keeps the focus and closes by Escape.
import { html, useEffect, useRef } from '../vendor/htm-3.1.1.js';
import { t } from '../texts.js';
import { Icon } from './page.js';

/** Shown as long as it is drawn; `onClose` should take it away. */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef();
  useEffect(() => {
    const element = dialog.current;
    element.showModal();
    return () => element.close(); // gives the focus back
  }, []);
  const cancel = (event) => {
    event.preventDefault();
    onClose();
  };
  return html`
    <dialog ref=${dialog} aria-label=${title} onCancel=${cancel}>
      <header>
        <h2>${title}</h2>
        <button type="button" class="round" aria-label=${t('close')} onClick=${onClose}><${Icon} name="close" /></button>
      </header>
      ${children}
    </dialog>`;
}
