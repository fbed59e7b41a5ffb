// Forms for a six-digit code that is sent by e-mail.
import { post, put, updateSession } from '../api.js';
import { refusalOf } from '../errors.js';
import { t } from '../texts/account.js';
import { readStored, writeStored } from '../texts.js';
import { html, useEffect, useState } from '../vendor/htm-3.1.1.js';
import { Field, FieldError, Form, useForm } from './form.js';
import { Button, Note } from './page.js';

/** @import { FormState } from './form.js' */
/** @import { VNode } from '../vendor/htm-3.1.1.js' */

const PAUSE = 30; // seconds before the visitor can request another code
const LIFETIME = 10 * 60_000; // ms
const ATTEMPTS = 5;

/** @type {any} */
const NO_CODE = { code: '' };

/** @typedef {ReturnType<typeof useCode<any>>} CodeState */

/**
 * The state of a form with two steps. Step 1 requests a code for `email`. Step 2 calls `send` with
 * the values of both steps. With `key`, step 2 survives a reload, because a phone may discard the
 * page while the visitor reads the e-mail. The caller removes the stored values afterwards.
 * @template {Record<string, string> & { email: string }} V
 * @param {V} initial
 * @param {(values: V & { code: string }) => Promise<any>} send
 * @param {(answer: any, values: V & { code: string }) => unknown} onDone
 * @param {string} [key] the name of the stored values in sessionStorage
 */
export function useCode(initial, send, onDone, key) {
  const [kept] = useState(() => keptOf(key));
  const [sent, setSent] = useState(
    /** @type {{ to: string, at: number, tries: number } | null} */ (kept?.sent ?? null),
  );
  const [unanswered, setUnanswered] = useState(''); // the last code whose answer was lost
  const [pause, setPause] = useState(0); // seconds
  useEffect(() => {
    if (!pause) return;
    const timer = setTimeout(() => setPause(pause - 1), 1000);
    return () => clearTimeout(timer);
  }, [pause]);
  /** @param {string} email */
  const ask = async (email) => {
    await post('auth/code', { email });
    form.set(NO_CODE);
    form.clear();
    setSent({ to: email, at: Date.now(), tries: 0 });
    setPause(PAUSE);
  };
  const refused = { field: 'code', text: '' };
  const form = useForm(
    { ...initial, ...kept?.values, code: '' },
    async (now) => {
      if (!sent) return ask(now.email.trim());
      setSent({ ...sent, tries: sent.tries + 1 });
      try {
        return await send({ ...now, email: sent.to, code: now.code.replace(/\s/g, '') });
      } catch (error) {
        const { code, passing } = refusalOf(error);
        if (passing) setUnanswered(now.code);
        if (code === 'email_taken') setSent(null); // back to step 1
        refused.text = t(`code_${stateOf(sent, now.code === unanswered)}`);
        throw error;
      }
    },
    {
      light: true,
      codes: {
        code_invalid: refused,
        invalid_credentials: { field: 'password', text: t('wrongPassword') },
      },
      onDone: (answer, now) => sent && onDone(answer, now),
    },
  );
  useEffect(() => {
    const state = sent && JSON.stringify({ sent, values: { ...form.values, ...NO_CODE } });
    if (key) writeStored('sessionStorage', key, state);
  }, [sent]);
  const again = useForm({}, () => ask(sent?.to ?? ''));
  const back = () => {
    form.clear();
    setSent(null);
  };
  return { form, again, sent, pause, back };
}

/** Returns the stored state, or null if the code has expired. @param {string} [key] */
function keptOf(key) {
  const kept = JSON.parse((key && readStored('sessionStorage', key)) || 'null');
  return kept && Date.now() - kept.sent.at < LIFETIME ? kept : null;
}

/**
 * Guesses why the API refused a code. The API does not return the reason. A code that was sent
 * before may have been accepted then: `again` is true if that answer was lost.
 * @param {{ at: number, tries: number } | null} sent
 * @param {boolean} again
 */
function stateOf(sent, again) {
  if (sent && Date.now() - sent.at > LIFETIME) return 'expired';
  if (again) return 'used';
  return sent && sent.tries + 1 >= ATTEMPTS ? 'locked' : 'wrong';
}

/**
 * Draws a form with two steps. `code` is the result of `useCode`. Step 1 has the fields in
 * `children`. Step 2 has a field for the code and the fields in `more`.
 * @param {{ code: CodeState, action: string, children?: VNode, more?: VNode | false }} props
 */
export function CodeForm({ code, action, children, more }) {
  const { form, sent, back } = code;
  const change = html`<${Button} class="plain" onClick=${back}>${t('otherAddress')}<//>`;
  if (!sent) return html`<${Form} form=${form} action=${t('getCode')}>${children}<//>`;
  return html`
    <${Note} tone="good" icon="mail" role="status">${t('codeSent', { email: sent.to })}<//>
    <${Form} form=${form} action=${action} aside=${change}>
      <${CodeField} form=${form} key=${sent.at} />
      ${more}
    <//>
    <${Again} ...${code} />`;
}

/** @param {{ form: FormState }} props */
function CodeField({ form }) {
  useEffect(() => {
    /** @type {HTMLElement | null | undefined} */
    const field = form.element.current?.querySelector('[name=code]');
    field?.focus();
  }, []);
  return html`
    <${Field} name="code" label=${t('code')} hint=${t('codeHint')} inputmode="numeric"
      autocomplete="one-time-code" maxlength="12" />`;
}

/** The button that requests another code. Disabled for `pause` seconds. @param {CodeState} props */
function Again({ again, pause }) {
  const text = pause ? t('codeAgainIn', { n: pause }) : t('codeAgain');
  return html`
    <div class="stack tight">
      <p class="row">
        <span class="muted small">${t('nothingCame')}</span>
        <${Button} class="small" aria-disabled=${pause > 0 || again.busy}
          onClick=${() => pause || again.submit()}>${text}<//>
      </p>
      <div role="alert"><${FieldError} error=${again.trouble?.general} /></div>
    </div>`;
}

/**
 * Confirms the e-mail address of the account with a code. If `email` is empty, step 1 asks for a
 * new address, and step 2 asks for the code and the password.
 * @param {{ email?: string, action: string, onDone: (email: string) => void }} props
 */
export function Prove({ email = '', action, onDone }) {
  const code = useCode(
    { email, password: '' },
    (values) => put('api/compte/email', values),
    (/** @type {{ token: string }} */ { token }, { email: typed }) => {
      const proven = typed.trim();
      updateSession({ token, user: { email: proven } });
      onDone(proven);
    },
  );
  const password = html`
    <${Field} name="password" type="password" label=${t('password')} hint=${t('ifPassword')}
      required=${null} autocomplete="current-password" />`;
  const address = html`
    <${Field} name="email" type="email" label=${t('newEmail')} autocomplete="email" />`;
  return html`
    <${CodeForm} code=${code} action=${action} more=${!email && password}>
      ${!email && address}
    <//>`;
}
