// The region and the time zone of a postal code.
import { Field } from '../parts/form.js';
import { t } from '../texts/gestion.js';
import { html } from '../vendor/htm-3.1.1.js';

/** The postal codes of each region. All other postal codes belong to 'metropole'. */
const REGIONS = {
  metropole: /^$/,
  'alsace-moselle': /^(57|67|68)/,
  guadeloupe: /^971(?!33|50)/,
  guyane: /^973/,
  martinique: /^972/,
  mayotte: /^976/,
  'nouvelle-caledonie': /^988/,
  'polynesie-francaise': /^987/,
  reunion: /^974/,
  'saint-barthelemy': /^97(133|7)/,
  'saint-martin': /^97(150|8)/,
  'saint-pierre-et-miquelon': /^975/,
  'wallis-et-futuna': /^986/,
};
export const NAMES = /** @type {(keyof typeof REGIONS)[]} */ (Object.keys(REGIONS));

/** @param {string} postCode */
export const regionOf = (postCode) =>
  NAMES.find((name) => REGIONS[name].test(postCode)) ?? 'metropole';

/** @type {Record<string, string>} */
const ZONES = {
  guadeloupe: 'America/Guadeloupe',
  guyane: 'America/Cayenne',
  martinique: 'America/Martinique',
  mayotte: 'Indian/Mayotte',
  'nouvelle-caledonie': 'Pacific/Noumea',
  'polynesie-francaise': 'Pacific/Tahiti',
  reunion: 'Indian/Reunion',
  'saint-barthelemy': 'America/St_Barthelemy',
  'saint-martin': 'America/Marigot',
  'saint-pierre-et-miquelon': 'America/Miquelon',
  'wallis-et-futuna': 'Pacific/Wallis',
};
export const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Returns the time zone of a French postal code, otherwise the zone of the device. The device of an
 * owner may be abroad, and some browsers hide the zone.
 * @param {string} postCode
 */
export const zoneOf = (postCode) =>
  /^\d{5}$/.test(postCode.trim()) ? (ZONES[regionOf(postCode.trim())] ?? 'Europe/Paris') : HERE;

/** The field `fuseau` of a business. @param {{ zone: string }} props the present zone */
export const ZoneField = ({ zone }) => html`
  <${Field} name="fuseau" as="select" label=${t('zone')} hint=${t('zoneHint')}>
    ${[...new Set([...Intl.supportedValuesOf('timeZone'), zone])].map(
      (one) => html`<option value=${one}>${one.replaceAll('_', ' ')}</option>`,
    )}
  <//>`;
