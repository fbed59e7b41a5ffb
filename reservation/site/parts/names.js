// Small parts that many pages show: the name of a person, links to a telephone number and to an
// e-mail address, the number of places, and a note about the time zone.
import { isElsewhere, zoneName } from '../dates.js';
import { t } from '../texts/offered.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Note } from './page.js';

/** @import { Client } from '../types.js' */

/** @param {Pick<Client, 'prenom' | 'nom' | 'email'>} client */
export const nameOf = ({ prenom, nom, email }) =>
  nom === 'Client effacé' ? t('erased') : [prenom, nom].filter(Boolean).join(' ') || email;

/** @param {{ number: string }} props */
export const Phone = ({ number }) =>
  html`<a href="tel:${number.replace(/[^+\d]/g, '')}">${number}</a>`;

/** A "?" in an address would begin parameters of the URL. @param {{ to: string }} props */
export const Email = ({ to }) =>
  html`<a href="mailto:${encodeURIComponent(to).replace('%40', '@')}">${to}</a>`;

/** @param {{ n: number }} props */
export const Places = ({ n }) => n > 1 && html`<span class="badge">${t('places', { n })}</span>`;

/**
 * Shows the time zone of the business if the visitor's UTC offset differs at the first or the last
 * of `starts`. Checks both, because summer time may begin or end between them.
 * @param {{ starts: { debut: string }[], zone: string }} props
 */
export const OtherClock = ({ starts, zone }) =>
  [...starts.slice(0, 1), ...starts.slice(-1)].some(({ debut }) => isElsewhere(debut)) &&
  html`<${Note} icon="globe">${t('otherClock', { zone: zoneName(zone) })}<//>`;
