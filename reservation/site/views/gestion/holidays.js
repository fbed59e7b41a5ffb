// The public holidays of a year, closed in one go: which they are, what they strand, then saving.
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { post } from '../../api.js';
import { capital, dayOf, longDay, today } from '../../dates.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { t } from '../../texts.js';
import { pathOf } from './frame.js';
import { Stranded } from './stranded.js';

// Each region with the beginning of its postal codes.
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
export const regionOf = (postCode) => Object.keys(REGIONS).find((one) => REGIONS[one].test(postCode)) ?? 'metropole';

export function Holidays({ entreprise, onClose, onDone }) {
  const year = Number(today(entreprise.fuseau).slice(0, 4));
  const [tried, show] = useState(null); // {body, closures}
  const path = `${pathOf(entreprise.id)}/evenements/feries`;
  const form = useForm({ annee: String(year), region: regionOf(entreprise.codePostal) }, async ({ annee, region }) => {
    const body = { annee: Number(annee), region };
    return { body, closures: await post(path, body, { essai: 1 }) };
  }, { onDone: show });
  return html`
    <${Dialog} title=${t('closeHolidays')} onClose=${onClose}>
      ${tried
        ? html`<${Sure} ...${tried} save=${() => post(path, tried.body)} onDone=${onDone} onBack=${() => show(null)} />`
        : html`
          <${Form} of=${form} action=${t('seeEffects')}>
            <${Field} of=${form} name="annee" as="select" label=${t('year')}>
              ${[year, year + 1].map((one) => html`<option value=${String(one)}>${one}</option>`)}
            <//>
            <${Field} of=${form} name="region" as="select" label=${t('region')}>
              ${Object.keys(REGIONS).map((one) => html`<option value=${one}>${t(`region_${one}`)}</option>`)}
            <//>
          <//>`}
    <//>`;
}

function Sure({ closures, save, onDone, onBack }) {
  const form = useForm({}, save, { onDone });
  const back = html`<button type="button" onClick=${onBack}>${t('back')}</button>`;
  if (!closures.length) return html`<p>${t('holidaysThere')}</p><div>${back}</div>`;
  return html`
    <ul class="two-columns">${closures.map((one) => html`<li><b>${one.titre}</b> <small class="muted">${capital(longDay(dayOf(one.debut)))}</small></li>`)}</ul>
    <${Stranded} visits=${closures.flatMap((one) => one.reservationsTouchees)} told />
    <${Form} of=${form} action=${t('closeDays', { n: closures.length })} aside=${back} />`;
}
