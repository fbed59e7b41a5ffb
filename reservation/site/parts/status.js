// What became of a reservation, as a badge.
import { html } from '../vendor/htm-3.1.1.js';
import { t } from '../texts.js';

const TONES = { demandee: 'warn', confirmee: 'good', refusee: 'danger', annulee: 'danger', honoree: 'good' };

export const Status = ({ of }) => html`<span class="badge ${TONES[of] ?? ''}">${t(of)}</span>`;
