import { html } from '../vendor/htm-3.1.1.js';
export const Results = () => html`<div class="page wide"></div>`;
