// Modal dialogs, built on <dialog>.
import { discard, leaving, unsaved } from '../router.js';
import { t } from '../texts.js';
import { html, useEffect, useRef } from '../vendor/htm-3.1.1.js';
import { Form, useForm } from './form.js';
import { Button } from './page.js';

/** @import { Context } from '../errors.js' */
/** @import { Mark } from '../sending.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */

/**
 * A modal dialog. `onClose` must remove the dialog from the page. If the dialog has unsaved
 * changes, `onClose` is called only after the visitor confirms. While a form of the dialog is being
 * sent, the dialog stays open, because the visitor must see the answer.
 * @param {{ title: string, onClose: () => void, children?: VNode }} props
 */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const kept = useRef([...unsaved]).current; // unsaved changes of the page below the dialog
  const close = () => dialog.current?.querySelector('[aria-busy=true]') || discard(onClose, kept);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close(); // restores the focus
  }, []);
  /** @param {Event} event */
  const cancel = (event) => {
    event.preventDefault();
    close();
  };
  // At a second Escape, Chromium ignores `preventDefault` and closes the dialog: open it again.
  const show = () => dialog.current?.isConnected && dialog.current.showModal();
  return html`
    <dialog ref=${dialog} aria-label=${title} onCancel=${cancel} onClose=${show}>
      <header>
        <h2>${title}</h2>
        <${Button} icon="close" class="round" aria-label=${t('close')} onClick=${close} />
      </header>
      ${children}
    </dialog>`;
}

/**
 * A form without fields: a button that confirms an action, and a Back button.
 * @param {{ action: string, send: () => Promise<any>, onDone: (answer: any) => void,
 *   codes?: Context['codes'], onBack: () => void, back?: string, danger?: boolean,
 *   reload?: () => void }} props
 */
export function Sure({ action, send, onDone, codes, onBack, back = t('back'), ...others }) {
  const form = useForm({}, send, { onDone, codes });
  const aside = html`<${Button} onClick=${onBack}>${back}<//>`;
  return html`<${Form} ...${{ form, action, aside, ...others }} />`;
}

/**
 * A dialog that asks before an irreversible action.
 * @param {{ title: string, onClose: () => void, children?: VNode, action: string,
 *   send: () => Promise<any>, onDone: (answer: any) => void, codes?: Context['codes'],
 *   back?: string }} props
 */
export const Question = ({ title, onClose, children, ...sure }) => html`
  <${Dialog} title=${title} onClose=${onClose}>
    ${children}
    <${Sure} ...${sure} onBack=${onClose} danger />
  <//>`;

/**
 * The dialog that asks before `action`, which discards the unsaved changes in `lost`. If these
 * changes are saved meanwhile, runs `action` without an answer.
 * @param {{ action: () => void, lost: Mark[] }} props
 */
export function Leave({ action, lost }) {
  const saving = lost.find((mark) => mark.saving)?.saving;
  const stay = () => leaving.set(null);
  const leave = () => {
    stay();
    for (const mark of lost) unsaved.delete(mark);
    action();
  };
  useEffect(() => {
    let asks = true;
    // Also without `saving`: the changes may have been saved before this dialog was drawn.
    Promise.resolve(saving).then(() => {
      if (!asks) return;
      if (lost.some((mark) => unsaved.has(mark))) leaving.set({ action, lost });
      else leave();
    });
    return () => {
      asks = false;
    };
  }, [saving]);
  return html`
    <${Dialog} title=${t(saving ? 'leaveSaving' : 'leaveSure')} onClose=${stay}>
      <p>${t(saving ? 'leaveThen' : 'leaveHelp')}</p>
      <div class="actions">
        <${Button} class="main" onClick=${stay}>${t('leaveNo')}<//>
        <${Button} class="danger" onClick=${leave}>${t('leaveYes')}<//>
      </div>
    <//>`;
}
