// /gestion/{id}/etablissement: the public details of a business, such as the name and the photos.
import { Checkbox, Field, Form } from '../../parts/form.js';
import { t } from '../../texts/gestion.js';
import { html } from '../../vendor/htm-3.1.1.js';
import { Managed } from '../frame.js';
import { Photos } from '../photos.js';
import { ZoneField } from '../zones.js';
import { useBusiness } from './business.js';
import { fieldsOf, Trades, tradesOf } from './trades.js';

/** @import { ViewProps } from '../../types.js' */
/** @import { Manage } from '../frame.js' */

/** @param {ViewProps} props */
export default function View({ id }) {
  return html`
    <${Managed} id=${id} page="etablissement" lead=${t('aboutLead')}>${(
      /** @type {Manage} */ manage,
    ) => html`
      <${About} key=${manage.entreprise.version} ...${manage} />
      <${Photos} id=${id} />`}<//>`;
}

/** @param {Manage} manage */
function About(manage) {
  const { entreprise, reload } = manage;
  const { nom, description, adresse, codePostal, ville, telephone, email, fuseau } = entreprise;
  const actif = entreprise.actif ? 'oui' : '';
  const form = useBusiness(
    manage,
    {
      nom,
      description,
      adresse,
      codePostal,
      ville,
      telephone,
      email,
      fuseau,
      actif,
      ...fieldsOf(entreprise),
    },
    ({ metier, metiers, ...values }) => ({
      ...values,
      metiers: tradesOf({ metiers, metier }),
      actif: Boolean(values.actif),
    }),
  );
  /** @param {string} name @param {string} label @param {object} others */
  const field = (name, label, others) => html`
    <${Field} ...${{ name, label, required: false, ...others }} />`;
  /** @param {string} legend @param {unknown} fields */
  const group = (legend, fields) => html`
    <fieldset class="group form"><legend>${legend}</legend>${fields}</fieldset>`;
  return html`
    <div>
      <a class="button" href="entreprises/${entreprise.id}" target="_blank" rel="noopener">
        ${t('seePage')}
      </a>
    </div>
    <section class="card" aria-label=${t('pageAbout')}>
      <${Form} form=${form} action=${t('save')} reload=${reload}>
        ${group(
          t('presentation'),
          html`
          ${field('nom', t('businessName'), { required: true, maxlength: 150 })}
          <${Trades} form=${form} />
          ${field('description', t('description'), {
            as: 'textarea',
            maxlength: 5000,
            hint: t('descriptionHint'),
          })}`,
        )}
        ${group(
          t('address'),
          html`
          ${field('adresse', t('street'), {
            maxlength: 200,
            autocomplete: 'street-address',
          })}
          <div class="two">
            ${field('codePostal', t('postCode'), { maxlength: 10, autocomplete: 'postal-code' })}
            ${field('ville', t('city'), {
              required: true,
              maxlength: 100,
              autocomplete: 'address-level2',
            })}
          </div>`,
        )}
        ${group(
          t('reachable'),
          html`
          <div class="two">
            ${field('telephone', t('phone'), { type: 'tel', maxlength: 40, autocomplete: 'tel' })}
            ${field('email', t('email'), { type: 'email', autocomplete: 'email' })}
          </div>`,
        )}
        ${group(
          t('onlineBooking'),
          html`
          <${Checkbox} name="actif" label=${t('takesBookings')} />
          <${ZoneField} zone=${fuseau} />`,
        )}
      <//>
    </section>`;
}
