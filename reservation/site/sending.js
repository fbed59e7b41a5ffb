// Sends a form once, and prevents changes to it meanwhile, because they would be lost. Does not use
// `disabled` or `inert`, because these attributes would remove the focus.
import { unsaved } from './router.js';
import { useLayoutEffect, useRef, useState } from './vendor/htm-3.1.1.js';

/**
 * Unsaved changes. `stays`: see `useUnsaved`. `saving` is set while they are sent.
 * @typedef {{ stays: boolean, saving?: Promise<unknown> }} Mark
 */

/**
 * `sendOnce` calls `deliver`, but does nothing until the previous `deliver` has ended.
 * @param {Mark} [mark] the unsaved changes that are sent
 */
export function useSending(mark = { stays: false }) {
  const [busy, setBusy] = useState(false);
  const sending = useRef(false); // stops a double click (`busy` changes too late)
  /** @param {() => Promise<void>} deliver */
  async function sendOnce(deliver) {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    try {
      mark.saving = deliver();
      await mark.saving;
    } finally {
      sending.current = false;
      mark.saving = undefined;
      setBusy(false);
    }
  }
  return { busy, sendOnce };
}

/**
 * While `changed` is true, a dialog asks for confirmation before the visitor leaves the page.
 * Remove the returned mark from `unsaved` after saving.
 * @param {boolean} changed
 * @param {boolean} [stays] whether the input stays if only the query of the URL changes
 * @returns {Mark}
 */
export function useUnsaved(changed, stays = false) {
  const mark = useRef({ stays }).current;
  useLayoutEffect(() => {
    if (!changed) return;
    import('./parts/dialog.js').catch(() => {}); // loaded early: the visitor may be offline later
    unsaved.add(mark);
    return () => {
      unsaved.delete(mark);
    };
  }, [changed]);
  return mark;
}

const FIELDS =
  'button, label, select, [role=combobox], [role=option], [type=checkbox], [type=radio]';
const EVENTS = ['change', 'click', 'input', 'keydown', 'mousedown'];
const KEYS = new Set(['Tab', 'Escape']); // these keys do not change a field

/** @param {Event} event */
function stop(event) {
  const { target } = event;
  const field = target instanceof Element && target.closest(FIELDS);
  if (!field || field.closest('.actions')) return;
  if (event instanceof KeyboardEvent && KEYS.has(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Makes text fields read-only, and stops the events that change other fields.
 * @param {{ current: HTMLFormElement | null }} form
 * @param {boolean} busy
 */
export function useUnchanged(form, busy) {
  useLayoutEffect(() => {
    const element = form.current;
    if (!busy || !element) return;
    const fields = /** @type {HTMLInputElement[]} */ ([...element.elements]);
    const texts = fields.filter(({ readOnly }) => readOnly === false);
    const others = fields.filter(
      (field) =>
        field.matches(FIELDS) && !field.closest('.actions') && !field.hasAttribute('aria-disabled'),
    );
    for (const field of texts) field.readOnly = true;
    for (const field of others) field.setAttribute('aria-disabled', 'true');
    for (const name of EVENTS) element.addEventListener(name, stop, true);
    return () => {
      for (const field of texts) field.readOnly = false;
      for (const field of others) field.removeAttribute('aria-disabled');
      for (const name of EVENTS) element.removeEventListener(name, stop, true);
    };
  }, [busy]);
}
