// The dialog that closes a business on the public holidays of a year, after a preview.
import { post } from '../../api.js';
import { capital, dayOf, longDay, today } from '../../dates.js';
import { Dialog, Sure } from '../../parts/dialog.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Button } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { pathOf } from '../frame.js';
import { NAMES, regionOf } from '../zones.js';
import { Stranded } from './stranded.js';

/** @import { Effects, Entreprise, Evenement } from '../../types.js' */

/** @typedef {(Evenement & Effects)[]} Closures */

/** @param {{ entreprise: Entreprise, onClose: () => void, onDone: () => void }} props */
export function Holidays({ entreprise, onClose, onDone }) {
  const [closures, setClosures] = useState(/** @type {Closures | null} */ (null));
  const now = Number(today(entreprise.fuseau).slice(0, 4));
  const path = `${pathOf(entreprise.id)}/evenements/feries`;
  /** @param {{ annee: string, region: string }} values @param {{ essai: 1 }} [query] */
  const save = ({ annee, region }, query) => post(path, { annee: Number(annee), region }, query);
  const form = useForm(
    { annee: String(now), region: regionOf(entreprise.codePostal) },
    (values) => save(values, { essai: 1 }),
    { onDone: setClosures, light: true },
  );
  const fields = html`
    <${Form} form=${form} action=${t('seeEffects')}>
      <${Field} name="annee" as="select" label=${t('year')}>
        ${[now, now + 1].map((year) => html`<option value=${year}>${year}</option>`)}
      <//>
      <${Field} name="region" as="select" label=${t('region')}>
        ${NAMES.map((name) => html`<option value=${name}>${t(`region_${name}`)}</option>`)}
      <//>
    <//>`;
  const send = () => save(form.values);
  const onBack = () => setClosures(null);
  return html`
    <${Dialog} title=${t('closeHolidays')} onClose=${onClose}>
      ${closures && html`<${Effect} ...${{ closures, send, onDone, onBack }} />`}
      ${!closures && fields}
    <//>`;
}

/**
 * @param {{ closures: Closures, send: () => Promise<unknown>, onDone: () => void,
 *   onBack: () => void }} props
 */
function Effect({ closures, send, onDone, onBack }) {
  if (!closures.length) {
    return html`
      <p>${t('holidaysThere')}</p>
      <div><${Button} onClick=${onBack}>${t('back')}<//></div>`;
  }
  const action = t('closeDays', { n: closures.length });
  return html`
    <ul class="two-columns">
      ${closures.map(
        ({ titre, debut }) => html`
        <li><b>${titre}</b> <small class="muted">${capital(longDay(dayOf(debut)))}</small></li>`,
      )}
    </ul>
    <${Stranded} reservations=${closures.flatMap((one) => one.reservationsTouchees)} told />
    <${Sure} ...${{ action, send, onDone, onBack }} />`;
}
