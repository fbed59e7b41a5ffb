// The trades of a business as two fields of a form. `metiers` has one trade per line. `metier` has
// the trade that the owner is typing.
import { get } from '../../api.js';
import { Combobox } from '../../parts/combobox.js';
import { Button } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';

/** @import { FormState } from '../../parts/form.js' */
/** @import { Entreprise, Suggestions } from '../../types.js' */

const MOST = 5;
const LONGEST = 60; // a trade has at most this many characters

/** @param {Entreprise} entreprise */
export const fieldsOf = ({ metiers }) => ({ metiers: metiers.join('\n'), metier: '' });

/** @param {{ metiers: string, metier: string }} values */
export const tradesOf = ({ metiers, metier }) =>
  [...new Set([...metiers.split('\n'), metier.trim()])].filter(Boolean).slice(0, MOST);

/** @param {string} text */
async function propose(text) {
  const [own, services] = await Promise.all([
    /** @type {Promise<Suggestions>} */ (get('api/suggestions', { q: text })),
    get('api/services', { q: text }),
  ]);
  return [...new Set([...own.metiers, ...services])];
}

/** @param {{ form: FormState }} props */
export function Trades({ form }) {
  const { metiers, metier } = form.values;
  const chosen = tradesOf({ metiers, metier: '' });
  /** @param {string} name */
  const add = (name) =>
    form.set({ metiers: tradesOf({ metiers, metier: name }).join('\n'), metier: '' });
  /** @param {string} name */
  const remove = (name) => form.set({ metiers: chosen.filter((one) => one !== name).join('\n') });
  /** @param {string} text */
  const type = (text) => form.set({ metier: text });
  const field = html`
    <${Combobox} id="metier" label=${t('newTrade')} value=${metier} source=${propose}
      maxlength=${LONGEST} onInput=${type} onChoose=${add} />
    <div>
      <${Button} class="small" icon="plus" onClick=${() => add(metier)}>${t('addTrade')}<//>
    </div>`;
  return html`
    <fieldset class="stack tight">
      <legend>${t('trades')} <small>(${t('optional')})</small></legend>
      <p class="hint" id="trades-hint">${t('tradesHint')}</p>
      <ul class="row">
        ${chosen.map(
          (name) => html`
          <li key=${name}>
            <${Button} class="small" icon="close" aria-label=${t('removeTrade', { name })}
              onClick=${() => remove(name)}>${name}<//>
          </li>`,
        )}
      </ul>
      ${chosen.length < MOST && field}
    </fieldset>`;
}
