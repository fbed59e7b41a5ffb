// The state of a form for some fields of a business.
import { putOnce } from '../../attempts.js';
import { useForm } from '../../parts/form.js';
import { focusOn, say, watchPage } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { pathOf } from '../frame.js';

/** @import { Manage } from '../frame.js' */

/**
 * The form sends all fields, because the API replaces the whole business.
 * @template {Record<string, string>} V
 * @param {Pick<Manage, 'entreprise' | 'changed'>} manage
 * @param {V} initial
 * @param {(values: V) => object} [changesOf]
 */
export function useBusiness({ entreprise, changed }, initial, changesOf = (values) => values) {
  const { id, proprietaireId, ...fields } = entreprise;
  const hasLeft = watchPage();
  return useForm(initial, (values) => putOnce(pathOf(id), { ...fields, ...changesOf(values) }), {
    onDone: (saved) => {
      changed(saved);
      say(t('saved'));
      // Saving replaces the form. Focus its new button, unless the owner has left the page.
      if (!hasLeft()) focusOn('.form .main');
    },
  });
}
