// Forms: fields, errors, and sending. Fields keep their values if sending fails.
import { explain, fieldMissing, refusalOf } from '../errors.js';
import { unsaved } from '../router.js';
import { useSending, useUnchanged, useUnsaved } from '../sending.js';
import { t } from '../texts.js';
import { createContext, html, useContext, useRef, useState } from '../vendor/htm-3.1.1.js';
import { Button, Icon, Note } from './page.js';

/** @import { Refusal } from '../api.js' */
/** @import { Context } from '../errors.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */

let count = 0; // makes ids unique if two forms have fields with the same name

/** @typedef {ReturnType<typeof useForm<any>>} FormState */

/** The form around a field. */
const Around = createContext(/** @type {FormState} */ (/** @type {unknown} */ (null)));

/**
 * The state of a form:
 *   const form = useForm({ email: '' }, (values) => post('auth/login', values), { onDone });
 *   html`<${Form} form=${form} action=${t('signIn')}><${Field} name="email" … /><//>`
 * - `check` runs before `send` and returns the error text of each wrong field.
 * - `unsure` replaces the error text if a retry may succeed, for example after a network error.
 * - With `drafted`, the values still count as unsaved after `send`, because `send` saves nothing.
 * - With `light`, the visitor can leave without a question about unsaved changes.
 * - `stays`: see `useUnsaved` in sending.js. `names` and `codes`: see `Context` in errors.js.
 * - `period` has the names of two date fields. If the visitor moves the first date past the last
 *   date, the last date becomes the same day.
 * @template {Record<string, any>} V
 * @param {V} initial
 * @param {(values: V) => Promise<any>} send
 * @param {Omit<Context, 'fields'> & { onDone?: (answer: any, values: V) => unknown,
 *   check?: (values: V) => Record<string, string>, unsure?: string, drafted?: boolean,
 *   light?: boolean, stays?: boolean, period?: [string, string] }} [options]
 */
export function useForm(initial, send, options = {}) {
  const { onDone, check, unsure, drafted, light, stays, period, ...context } = options;
  const [values, setValues] = useState(initial);
  const saved = useRef(JSON.stringify(values));
  const mark = useUnsaved(!light && JSON.stringify(values) !== saved.current, stays);
  const [wrong, setWrong] = useState(/** @type {Record<string, string>} */ ({}));
  const [trouble, setTrouble] = useState(
    /** @type {{ general: string, error: Refusal } | null} */ (null),
  );
  const { busy, sendOnce } = useSending(mark);
  const element = useRef(/** @type {HTMLFormElement | null} */ (null));
  const [id] = useState(() => ++count);

  /** @param {Event} [event] */
  async function submit(event) {
    event?.preventDefault();
    if (busy) return;
    const missing = { ...missingOf(element.current), ...check?.(values) };
    setWrong(missing);
    setTrouble(null);
    if (Object.keys(missing).length) focusFirst(element.current);
    else await sendOnce(deliver);
  }
  async function deliver() {
    try {
      const answer = await send(values);
      if (!drafted) {
        saved.current = JSON.stringify(values);
        unsaved.delete(mark);
      }
      await onDone?.(answer, values);
    } catch (caught) {
      const error = refusalOf(caught);
      const found = explain(error, { ...context, fields: Object.keys(values) });
      setWrong(found.fields);
      setTrouble({ general: (error.passing && unsure) || found.general, error });
      focusFirst(element.current);
    }
  }
  /** @param {Partial<V>} changes */
  const set = (changes) =>
    setValues((before) => {
      const values = { ...before, ...changes };
      const [first, last] = period ?? [];
      // Computed here, because an effect would run later and could overwrite newer input.
      const moves = first && last && first in changes && values[first] > values[last];
      return moves ? { ...values, [last]: values[first] } : values;
    });
  const clear = () => {
    setWrong({});
    setTrouble(null);
  };
  const taken = trouble?.error.code === 'slot_taken' ? trouble.error : null;
  return { id, values, set, clear, wrong, trouble, taken, busy, submit, element };
}

/** @param {HTMLFormElement | null} form @returns {Record<string, string>} */
function missingOf(form) {
  const fields = /** @type {HTMLInputElement[]} */ ([...(form?.elements ?? [])]);
  const empty = fields.filter((field) => field.required && !field.value.trim());
  return Object.fromEntries(empty.map((field) => [field.name, fieldMissing()]));
}

/** @param {HTMLFormElement | null} form */
function focusFirst(form) {
  requestAnimationFrame(() => {
    /** @type {HTMLElement | null | undefined} */
    const field = form?.querySelector('[aria-invalid=true]');
    field?.focus();
  });
}

/**
 * A form with the fields in `children`. If somebody else has changed the record, a second button
 * calls `reload`.
 * @param {{ form: FormState, action: string, children?: VNode, aside?: VNode | false,
 *   danger?: boolean, reload?: () => void }} props
 */
export function Form({ form, action, children, aside, danger, reload }) {
  const { trouble, taken, busy } = form;
  useUnchanged(form.element, busy);
  const refresh = html`<${Button} class="small" onClick=${reload}>${t('refresh')}<//>`;
  const remedy = reload && trouble?.error.code === 'stale_version' && refresh;
  const problem = html`
    <${Note} tone="danger" icon="alert" action=${remedy}>${trouble?.general}<//>`;
  return html`
    <form ref=${form.element} class="form" novalidate aria-busy=${busy} onSubmit=${form.submit}>
      <${Around.Provider} value=${form}>${children}<//>
      <div role="alert">${trouble && !taken && problem}</div>
      <div class="actions">
        <button class=${danger ? 'danger' : 'main'} aria-disabled=${busy}>
          ${busy ? t('loading') : trouble?.error.passing ? t('tryAgain') : action}
        </button>
        ${aside}
      </div>
    </form>`;
}

/**
 * A labelled field of the <Form> around it:
 * - `as` is 'input', 'textarea' or 'select'. The options of a 'select' are in `children`.
 * - If `required` is false, the label says "optional". If `required` is null, the field is
 *   optional, but the label does not say so.
 * - Other properties are attributes of the element.
 * @param {{ name: string, label: string, hint?: string | false, type?: string, as?: string,
 *   required?: boolean | null, children?: VNode, [attribute: string]: any }} props
 */
export function Field({
  name,
  label,
  hint,
  type = 'text',
  as = 'input',
  required = true,
  children,
  ...others
}) {
  const form = useContext(Around);
  const id = `form${form.id}-${name}`;
  const error = form.wrong[name];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const control = {
    id,
    name,
    required,
    ...others,
    value: form.values[name] ?? '',
    'aria-invalid': error ? 'true' : undefined,
    'aria-describedby': described || undefined,
    onInput: (/** @type {{ target: HTMLInputElement }} */ { target }) =>
      form.set({ [name]: target.value }),
  };
  return html`
    <div class="field">
      <label for=${id}>
        ${label}${required === false && html` <small>(${t('optional')})</small>`}
      </label>
      ${as === 'input' && html`<input type=${type} ...${control} />`}
      ${as === 'textarea' && html`<textarea rows="4" ...${control} />`}
      ${as === 'select' && html`<select ...${control}>${children}</select>`}
      ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
      <${FieldError} id="${id}-error" error=${error} />
    </div>`;
}

/** @param {{ id?: string, error?: string | null }} props */
export const FieldError = ({ id, error }) =>
  error && html`<p class="error" id=${id}><${Icon} name="alert" />${error}</p>`;

/**
 * A checkbox whose value is 'oui' or ''.
 * @param {{ name: string, label: string }} props
 */
export function Checkbox({ name, label }) {
  const form = useContext(Around);
  /** @param {{ target: HTMLInputElement }} event */
  const change = ({ target }) => form.set({ [name]: target.checked ? 'oui' : '' });
  return html`
    <label class="with-icon">
      <input type="checkbox" checked=${Boolean(form.values[name])} onChange=${change} />
      ${label}
    </label>`;
}
