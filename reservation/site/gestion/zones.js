// The region and the time zone of a postal code.
import { Field } from '../parts/form.js';
import { t } from '../texts/gestion.js';
import { html } from '../vendor/htm-3.1.1.js';

/**
 * The postal codes and the time zone of each region. All other postal codes belong to 'metropole'.
 * @satisfies {Record<string, [RegExp, string]>}
 */
const REGIONS = {
  metropole: [/^$/, 'Europe/Paris'],
  'alsace-moselle': [/^(57|67|68)/, 'Europe/Paris'],
  guadeloupe: [/^971(?!33|50)/, 'America/Guadeloupe'],
  guyane: [/^973/, 'America/Cayenne'],
  martinique: [/^972/, 'America/Martinique'],
  mayotte: [/^976/, 'Indian/Mayotte'],
  'nouvelle-caledonie': [/^988/, 'Pacific/Noumea'],
  'polynesie-francaise': [/^987/, 'Pacific/Tahiti'],
  reunion: [/^974/, 'Indian/Reunion'],
  'saint-barthelemy': [/^97(133|7)/, 'America/St_Barthelemy'],
  'saint-martin': [/^97(150|8)/, 'America/Marigot'],
  'saint-pierre-et-miquelon': [/^975/, 'America/Miquelon'],
  'wallis-et-futuna': [/^986/, 'Pacific/Wallis'],
};
export const NAMES = /** @type {(keyof typeof REGIONS)[]} */ (Object.keys(REGIONS));

/** @param {string} postCode */
export const regionOf = (postCode) =>
  NAMES.find((name) => REGIONS[name][0].test(postCode)) ?? 'metropole';

export const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Returns the time zone of a French postal code, otherwise the zone of the device. The device of an
 * owner may be abroad, and some browsers hide the zone.
 * @param {string} postCode
 */
export const zoneOf = (postCode) =>
  /^\d{5}$/.test(postCode.trim()) ? REGIONS[regionOf(postCode.trim())][1] : HERE;

/** The field `fuseau` of a business. @param {{ zone: string }} props the present zone */
export const ZoneField = ({ zone }) => html`
  <${Field} name="fuseau" as="select" label=${t('zone')} hint=${t('zoneHint')}>
    ${[...new Set([...Intl.supportedValuesOf('timeZone'), zone])].map(
      (one) => html`<option value=${one}>${one.replaceAll('_', ' ')}</option>`,
    )}
  <//>`;
