// The services of a business by category. A long list has a search field and collapsed categories.
import { length, price } from '../../dates.js';
import { matches } from '../../lists/matching.js';
import { Button } from '../../parts/page.js';
import { setQuery } from '../../router.js';
import { t } from '../../texts/booking.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';

/** @import { Prestation } from '../../types.js' */
/** @typedef {{ name: string, services: Prestation[] }} Category */

const MANY = 15; // a longer list has a search field and collapsed categories
const FEW = 30; // number of services per category that are shown at first

/**
 * Groups services by category. Services without a category come last.
 * @param {Prestation[]} services
 * @returns {Category[]}
 */
function categoriesOf(services) {
  const found = Map.groupBy(services, ({ categorie }) => categorie);
  const categories = [...found].map(([name, services]) => ({ name, services }));
  return categories.sort((a, b) => Number(!a.name) - Number(!b.name));
}

/** @param {{ prestations: Prestation[], chosen: Prestation }} props */
export function Services({ prestations, chosen }) {
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState(chosen.categorie);
  const many = prestations.length > MANY;
  const found = prestations.filter(({ nom, categorie }) => matches(typed, nom, categorie));
  const categories = categoriesOf(found);
  const search = html`
    <div class="field">
      <label for="find-service">${t('findService')}</label>
      <input id="find-service" type="search" value=${typed} autocomplete="off"
        onInput=${(/** @type {{ target: HTMLInputElement }} */ { target }) =>
          setTyped(target.value)} />
      <p class="hint" role="status">
        ${typed.trim() && t('servicesFound', { n: found.length })}
      </p>
    </div>`;
  return html`
    ${many && search}
    <div class="stack">
      ${categories.map(
        (one) => html`
        <${Group} key=${one.name} ...${one} chosen=${chosen} alone=${categories.length === 1}
          folds=${many && !typed && categories.length > 1} open=${one.name === opened}
          onOpen=${() => setOpened(one.name)} />`,
      )}
    </div>`;
}

/**
 * A category. With `folds`, the services are drawn once the category is open. With `alone`, there
 * is no other category.
 * @param {Category & { chosen: Prestation, alone: boolean, folds: boolean, open: boolean,
 *   onOpen: () => void }} props
 */
function Group({ name, services, chosen, alone, folds, open, onOpen }) {
  const [whole, setWhole] = useState(false);
  const title = name || t('otherServices');
  const shown = whole ? services : services.slice(0, FEW);
  const hidden = services.length - shown.length;
  const more = html`
    <div class="center">
      <${Button} class="small" onClick=${() => setWhole(true)}>
        ${t('moreServices', { n: hidden })}
      <//>
    </div>`;
  const list = html`
    <fieldset class="options">
      <legend class=${alone || folds ? 'unseen' : 'label'}>${alone ? t('services') : title}</legend>
      ${shown.map(
        (one) => html`
        <${Service} key=${one.id} prestation=${one} checked=${one.id === chosen.id} />`,
      )}
    </fieldset>
    ${hidden > 0 && more}`;
  if (!folds) return list;
  return html`
    <details open=${open}
      onToggle=${(/** @type {{ target: HTMLDetailsElement }} */ { target }) =>
        target.open && onOpen()}>
      <summary>${title} <small class="muted">${services.length}</small></summary>
      ${open && list}
    </details>`;
}

/** @param {{ prestation: Prestation, checked: boolean }} props */
const Service = ({
  prestation: { id, nom, description, dureeMinutes, prixCentimes },
  checked,
}) => html`
  <label>
    <input type="radio" name="prestation" checked=${checked}
      onChange=${() => setQuery({ prestation: id })} />
    <span><b>${nom}</b>${description && html`<small>${description}</small>`}</span>
    <span class="told">
      ${length(dureeMinutes)}${prixCentimes > 0 && html`<b>${price(prixCentimes)}</b>`}
    </span>
  </label>`;
