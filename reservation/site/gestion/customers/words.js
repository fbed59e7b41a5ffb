// The form of a customer's record.
import { addOnce, putOnce } from '../../attempts.js';
import { fieldText } from '../../errors.js';
import { Checkbox, Field, Form, useForm } from '../../parts/form.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { Customer } from './types.js' */

/**
 * With `customer`, the form changes the record at `path`. Without `customer`, the form adds a
 * record to the list at `path`.
 * @param {{ customer?: Customer, path: string, onDone: (saved: Customer) => void,
 *   reload?: () => void }} props
 */
export function Words({ customer, path, onDone, reload }) {
  const { nom = '', prenom = '', email = '', telephone = '', note = '' } = customer ?? {};
  const bloque = customer?.bloque ? 'oui' : '';
  const initial = { prenom, nom, telephone, email, note, bloque };
  /** @param {typeof initial} values */
  const send = ({ bloque: blocked, ...values }) => {
    const body = { ...values, bloque: Boolean(blocked) };
    return customer ? putOnce(path, { ...body, version: customer.version }) : addOnce(path, body);
  };
  const form = useForm(initial, send, {
    onDone,
    names: { client: 'email' },
    /** @returns {Record<string, string>} */
    check: (values) =>
      values.email.trim() || values.telephone.trim() ? {} : { telephone: fieldText('unreachable') },
  });
  return html`
    <${Form} ...${{ form, reload }} action=${t('save')}>
      <div class="two">
        <${Field} name="prenom" label=${t('firstName')} required=${false} autocomplete="off"
          maxlength="100" />
        <${Field} name="nom" label=${t('lastName')} autocomplete="off" maxlength="100" />
      </div>
      <div class="two">
        <${Field} name="telephone" type="tel" label=${t('phone')} required=${null}
          autocomplete="off" maxlength="40" />
        <${Field} name="email" type="email" label=${t('email')} required=${null}
          autocomplete="off" />
      </div>
      <${Field} name="note" as="textarea" rows="3" label=${t('privateNote')}
        hint=${t('privateNoteHint')} required=${false} maxlength="16000" />
      <div class="stack tight">
        <${Checkbox} name="bloque" label=${t('block')} />
        <p class="hint">${t('blockHint')}</p>
      </div>
    <//>`;
}
