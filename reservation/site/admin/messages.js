// /admin/messages?statut=: all e-mails of the installation.
import { Messages, States } from '../gestion/messages.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Console } from './frame.js';

/** @import { ViewProps } from '../types.js' */

/** @param {ViewProps} props */
export default function View({ query }) {
  const statut = query.get('statut') ?? '';
  return html`
    <${Console} path="admin/messages">
      <${States} statut=${statut} />
      <${Messages} key=${statut} path="api/emails" statut=${statut} />
    <//>`;
}
