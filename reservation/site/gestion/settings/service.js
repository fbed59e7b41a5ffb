// The form of a service.
import { addOnce, putOnce } from '../../attempts.js';
import { Checkbox, Field, Form, useForm } from '../../parts/form.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Choices } from '../choices.js';

/** @import { FormState } from '../../parts/form.js' */
/** @import { Prestation, Ressource } from '../../types.js' */

const MOST = 1_000_000_000; // cents

/** Converts "12,50 €" to cents. Returns NaN if the text is not a price. @param {string} text */
export const centsOf = (text) =>
  Math.round(Number(text.replace(/[\s€]/g, '').replace(',', '.')) * 100);

/** @param {{ prix: string }} typed @returns {Record<string, string>} */
export const checkPrice = ({ prix }) =>
  centsOf(prix) >= 0 && centsOf(prix) <= MOST ? {} : { prix: t('priceWrong') };

export const Price = () => html`
  <${Field} name="prix" label=${t('priceEuros')} inputmode="decimal" required=${false} />`;

/** @param {Partial<Prestation>} prestation */
const typedOf = ({
  nom = '',
  categorie = '',
  description = '',
  dureeMinutes = 30,
  prixCentimes = 0,
  tamponAvant = 0,
  tamponApres = 0,
  intervalleMinutes = null,
  lieuRequis = false,
}) => ({
  nom,
  categorie,
  description,
  dureeMinutes: String(dureeMinutes),
  prix: prixCentimes ? String(prixCentimes / 100).replace('.', ',') : '',
  tamponAvant: String(tamponAvant),
  tamponApres: String(tamponApres),
  intervalleMinutes: String(intervalleMinutes ?? ''),
  lieuRequis: lieuRequis ? 'oui' : '',
});

/** @param {ReturnType<typeof typedOf> & { ressources: number[] }} values */
const bodyOf = ({ prix, intervalleMinutes, ...values }) => ({
  ...values,
  dureeMinutes: Number(values.dureeMinutes),
  tamponAvant: Number(values.tamponAvant),
  tamponApres: Number(values.tamponApres),
  prixCentimes: centsOf(prix),
  intervalleMinutes: intervalleMinutes ? Number(intervalleMinutes) : null,
  lieuRequis: Boolean(values.lieuRequis),
  actif: true,
});

/**
 * @param {{ prestation?: Prestation, path: string, team: Ressource[],
 *   onDone: (saved: Prestation) => void, reload: () => void }} props
 */
export function ServiceForm({ prestation, path, team, onDone, reload }) {
  const form = useForm(
    { ...typedOf(prestation ?? {}), ressources: prestation?.ressources ?? [] },
    (values) =>
      prestation
        ? putOnce(`api/prestations/${prestation.id}`, {
            ...bodyOf(values),
            version: prestation.version,
          })
        : addOnce(path, bodyOf(values)),
    {
      onDone,
      names: { prixCentimes: 'prix' },
      check: checkPrice,
    },
  );
  /** @param {string} name @param {string} label @param {object} [others] */
  const minutes = (name, label, others) => html`
    <${Field} ...${{ name, label, min: 0, ...others }} type="number" inputmode="numeric" />`;
  return html`
    <${Form} form=${form} action=${t('save')} reload=${reload}>
      <${Field} name="nom" label=${t('serviceName')} maxlength="150" />
      <div class="two">
        ${minutes('dureeMinutes', t('lengthMinutes'), { min: 1 })}
        <${Price} />
      </div>
      <${Field} name="categorie" label=${t('category')} hint=${t('categoryHint')} required=${false}
        maxlength="100" />
      <${Field} name="description" as="textarea" rows="2" label=${t('description')}
        required=${false} maxlength="5000" />
      <${Performers} ...${{ form, team }} listed=${form.values.ressources}
        onChange=${(/** @type {number[]} */ ressources) => form.set({ ressources })} />
      <details>
        <summary>${t('moreSettings')}</summary>
        <div class="two">
          ${minutes('tamponAvant', t('bufferBefore'), { hint: t('bufferHint') })}
          ${minutes('tamponApres', t('bufferAfter'))}
        </div>
        ${minutes('intervalleMinutes', t('interval'), {
          hint: t('intervalHint'),
          required: false,
          min: 1,
        })}
      </details>
    <//>`;
}

/**
 * @param {{ form: FormState, team: Ressource[], listed: number[],
 *   onChange: (listed: number[]) => void }} props
 */
function Performers({ form, team, listed, onChange }) {
  const members = team.filter(({ id, actif }) => actif || listed.includes(id));
  const people = members.filter(({ genre }) => genre === 'personne');
  const rooms = members.filter(({ genre }) => genre === 'lieu');
  const shared = { chosen: listed, onChange };
  const who = html`
    <${Choices} legend=${t('performedBy')} hint=${t('performedByHint')} items=${people}
      ...${shared} />`;
  const where = html`
    <${Choices} legend=${t('inRooms')} hint=${t('inRoomsHint')} items=${rooms} ...${shared} />`;
  return html`
    ${people.length > 1 && who}
    ${rooms.length > 0 && html`<${Checkbox} name="lieuRequis" label=${t('needsRoom')} />`}
    ${rooms.length > 1 && form.values.lieuRequis && where}`;
}
