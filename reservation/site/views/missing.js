// The page for unknown addresses and for errors of the server.
import { Refusal } from '../api.js';
import { Failed } from '../parts/load.js';
import { html } from '../vendor/htm-3.1.1.js';

export default function View() {
  const status = Number(document.documentElement.dataset.status ?? 404);
  const code = status === 404 ? 'not_found' : 'unknown';
  return html`
    <${Failed} error=${new Refusal(status, code)} again=${() => location.reload()} />`;
}
