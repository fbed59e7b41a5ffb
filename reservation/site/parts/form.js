// Forms: fields with their errors beside them, and sending that keeps what was typed.
import { html, useRef, useState } from '../vendor/htm-3.1.1.js';
import { explain } from '../errors.js';
import { t } from '../texts.js';
import { Icon } from './page.js';

let forms = 0; // two on a page may have fields of one name

/** The state of a form.
 *    const form = useForm({email: ''}, (values) => post('auth/login', values), {onDone});
 *    html`<${Form} of=${form} action=${t('signIn')}><${Field} of=${form} name="email" … /><//>`
 *  `names` and `codes` are for `explain` of errors.js; `check(values)` gives {field: sentence}
 *  for what is wrong before anything is sent; `unsure` is said where no answer came. */
export function useForm(initial, send, { onDone = () => {}, check = () => ({}), names, codes, unsure } = {}) {
  const [values, change] = useState(initial);
  const [wrong, mark] = useState({});
  const [trouble, tell] = useState(null);
  const [busy, wait] = useState(false);
  const sending = useRef(false); // a second click comes before the button is drawn as busy
  const element = useRef();
  const id = useRef(0);
  id.current ||= ++forms;

  async function submit(event) {
    event?.preventDefault();
    if (sending.current) return;
    const missing = { ...missingOf(element.current), ...check(values) };
    mark(missing);
    tell(null);
    if (Object.keys(missing).length) return focusFirst(element.current);
    sending.current = true;
    wait(true);
    try {
      await onDone(await send(values));
    } catch (error) {
      const { general, fields } = explain(error, names, codes);
      mark(fields);
      tell({ general: (error.passing && unsure) || general, error });
      focusFirst(element.current);
    } finally {
      sending.current = false;
      wait(false);
    }
  }
  const set = (changes) => change((before) => ({ ...before, ...changes }));
  const clear = () => { mark({}); tell(null); };
  return { id: id.current, values, set, clear, wrong, trouble, busy, submit, element };
}

/** Fields that are to be filled in and are not. */
function missingOf(form) {
  const empty = [...form.elements].filter((one) => one.required && !one.value.trim());
  return Object.fromEntries(empty.map((one) => [one.name, t('fieldMissing')]));
}

/** Once the errors are drawn. */
const focusFirst = (form) => requestAnimationFrame(() => form?.querySelector('[aria-invalid=true]')?.focus());

/** Fields, what went wrong with the whole, and the button; `children` are the fields. `reload`
 *  shows what is there now, where somebody else was quicker. */
export function Form({ of, action, children, aside, danger, reload }) {
  const { trouble, busy } = of;
  return html`
    <form ref=${of.element} class="form" novalidate onSubmit=${of.submit}>
      ${children}
      <div role="alert">
        ${trouble && !trouble.error.body.alternatives && html`<div class="note danger"><${Icon} name="alert" /><p>${trouble.general}</p>
          ${reload && trouble.error.status === 412 && html`<button type="button" class="small" onClick=${reload}>${t('seePresent')}</button>`}</div>`}
      </div>
      <div class="actions">
        <button class=${danger ? 'danger' : 'main'} aria-disabled=${busy}>
          ${busy ? t('loading') : trouble?.error.passing ? t('tryAgain') : action}
        </button>
        ${aside}
      </div>
    </form>`;
}

/** A labelled input of a form. `as` is input, textarea or select (then with options inside). */
export function Field({ of, name, label, hint, type = 'text', as = 'input', required = true, children, ...others }) {
  const id = `form${of.id}-${name}`;
  const error = of.wrong[name];
  const told = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const common = {
    id, name, required, ...others,
    value: of.values[name] ?? '',
    'aria-invalid': error ? 'true' : undefined,
    'aria-describedby': told || undefined,
    onInput: (event) => of.set({ [name]: event.target.value }),
  };
  return html`
    <div class="field">
      <label for=${id}>${label}${!required && html` <small>(${t('optional')})</small>`}</label>
      ${as === 'input' ? html`<input type=${type} ...${common} />`
        : as === 'textarea' ? html`<textarea rows="4" ...${common} />`
          : html`<select ...${common}>${children}</select>`}
      ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
      ${error && html`<p class="error" id="${id}-error"><${Icon} name="alert" />${error}</p>`}
    </div>`;
}
