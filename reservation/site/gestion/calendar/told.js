// Part of a form: says whether the customer gets an e-mail, and has a field for a note.
import { Field } from '../../parts/form.js';
import { Note } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { OwnedReservation } from '../../types.js' */

/**
 * A field for a note, or a warning if the customer has no e-mail address.
 * @param {{ client: OwnedReservation['client'] }} props
 */
export function Told({ client: { email } }) {
  if (!email) return html`<${Note} tone="warn" icon="phone">${t('changeNotTold')}<//>`;
  return html`
    <${Note} icon="mail">${t('changeTold', { email })}<//>
    <${Field} name="message" as="textarea" rows="3" label=${t('word')} hint=${t('wordHint')}
      required=${false} maxlength="1000" />`;
}
