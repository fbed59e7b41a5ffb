// An address that is no page of the site.
import { Refusal } from '../api.js';
import { Failed } from '../parts/load.js';
import { html } from '../vendor/htm-3.1.1.js';

export default function View() {
  return html`<${Failed} error=${new Refusal(404, 'not_found')} />`;
}
