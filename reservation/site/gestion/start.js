// Adding a business in three steps: the business, a first service, the opening hours.
import { put, session } from '../api.js';
import { addOnce } from '../attempts.js';
import { fieldMissing, fieldText } from '../errors.js';
import { Combobox } from '../parts/combobox.js';
import { Field, Form, useForm } from '../parts/form.js';
import { Button, Page, say } from '../parts/page.js';
import { go } from '../router.js';
import { t } from '../texts/gestion.js';
import { html, useEffect, useRef, useState } from '../vendor/htm-3.1.1.js';
import { becomeOwner } from '../views/account/owner.js';
import { Weekdays } from './choices.js';
import { pathOf } from './frame.js';
import { Upcoming } from './settings/rules.js';
import { centsOf, checkPrice, Price } from './settings/service.js';
import { HERE, ZoneField, zoneOf } from './zones.js';

/** @import { Entreprise } from '../types.js' */

const UPCOMING = '5'; // default for the maximum number of upcoming bookings per customer
const STEPS = /** @type {const} */ (['stepBusiness', 'stepService', 'stepHours']);

/** @param {{ onBack: (() => void) | false }} props */
export function Start({ onBack }) {
  const [made, setMade] = useState(/** @type {Entreprise | null} */ (null));
  const [step, setStep] = useState(0);
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (step) heading.current?.focus();
  }, [step]);
  /** @param {Entreprise} entreprise */
  const begin = (entreprise) => {
    setMade(entreprise);
    setStep(1);
  };
  /** @param {Entreprise} entreprise */
  const finish = ({ id, nom }) => {
    go(`gestion/${id}/agenda`, { replace: true });
    say(t('businessReady', { name: nom }));
  };
  return html`
    <${Page} title=${t('openBusiness')} lead=${t('openBusinessLead')} size="narrow">
      <ol class="steps">
        ${STEPS.map(
          (key, n) => html`
          <li class="with-icon ${n < step ? 'done' : ''}" aria-current=${n === step && 'step'}>
            <span>${n + 1}</span>${t(key)}
          </li>`,
        )}
      </ol>
      <section class="card stack">
        <h2 ref=${heading} tabindex="-1">${t(STEPS[step])}</h2>
        ${!made && html`<${Business} onDone=${begin} onBack=${onBack} />`}
        ${made && step === 1 && html`<${Service} id=${made.id} onDone=${() => setStep(2)} />`}
        ${made && step === 2 && html`<${Hours} id=${made.id} onDone=${() => finish(made)} />`}
      </section>
    <//>`;
}

/** @param {{ onDone: (made: Entreprise) => void, onBack: (() => void) | false }} props */
function Business({ onDone, onBack }) {
  const email = session.get()?.user.email ?? '';
  const about = { nom: '', adresse: '', codePostal: '', ville: '', telephone: '', email };
  const empty = { ...about, fuseau: HERE, maxAVenir: UPCOMING };
  /** @param {typeof empty} values */
  const send = async ({ maxAVenir: most, ...values }) => {
    await becomeOwner();
    const body = { ...values, maxAVenir: most ? Number(most) : null };
    return addOnce('api/entreprises', body, 'api/compte/entreprises');
  };
  const form = useForm(empty, send, {
    onDone,
    /** @returns {Record<string, string>} */
    check: ({ ville }) => (ville.trim() ? {} : { ville: fieldMissing() }),
  });
  const zone = zoneOf(form.values.codePostal);
  useEffect(() => {
    if (zone !== form.values.fuseau) form.set({ fuseau: zone });
  }, [zone]);
  const back = onBack && html`<${Button} onClick=${onBack}>${t('back')}<//>`;
  // Removes the department from a city such as "Saint-Denis (93)".
  /** @param {string} ville */
  const setCity = (ville) => form.set({ ville: ville.replace(/ \(\d[\dAB]\d?\)$/, '') });
  return html`
    <${Form} form=${form} action=${t('goOn')} aside=${back}>
      <${Field} name="nom" label=${t('businessName')} maxlength="150" autocomplete="organization" />
      <${Field} name="adresse" label=${t('street')} required=${false} maxlength="200"
        autocomplete="street-address" />
      <div class="two">
        <${Field} name="codePostal" label=${t('postCode')} required=${false} maxlength="10"
          autocomplete="postal-code" />
        <${Combobox} id="start-city" name="ville" label=${t('city')} source="api/villes" required
          value=${form.values.ville} onInput=${setCity} error=${form.wrong.ville} />
      </div>
      ${zone !== HERE && html`<${ZoneField} zone=${zone} />`}
      <div class="two">
        <${Field} name="telephone" type="tel" label=${t('phone')} required=${false} maxlength="40"
          autocomplete="tel" />
        <${Field} name="email" type="email" label=${t('email')} required=${false}
          autocomplete="email" />
      </div>
      <${Upcoming} />
    <//>`;
}

/** @param {{ id: number, onDone: () => void }} props */
function Service({ id, onDone }) {
  const empty = { nom: '', dureeMinutes: '30', prix: '' };
  const form = useForm(
    empty,
    ({ nom, dureeMinutes, prix }) =>
      addOnce(`${pathOf(id)}/prestations`, {
        nom,
        dureeMinutes: Number(dureeMinutes),
        prixCentimes: centsOf(prix),
      }),
    { onDone, check: checkPrice, names: { prixCentimes: 'prix' } },
  );
  return html`
    <p class="muted">${t('moreLater')}</p>
    <${Form} form=${form} action=${t('goOn')}>
      <${Field} name="nom" label=${t('serviceName')} maxlength="150" />
      <div class="two">
        <${Field} name="dureeMinutes" type="number" min="1" label=${t('lengthMinutes')} />
        <${Price} />
      </div>
    <//>`;
}

/** @typedef {{ debut: string, midi: string, reprise: string, fin: string }} Times */

/** @param {Times} times @returns {Record<string, string>} */
function checkTimes({ debut, midi, reprise, fin }) {
  if (!midi !== !reprise) return { [midi ? 'reprise' : 'midi']: fieldMissing() };
  const order = [debut, midi, reprise].filter(Boolean);
  const ascends = order.every((time, n) => !n || order[n - 1] < time);
  const ends = fin <= debut || fin > (reprise || debut); // before `debut`: on the next day
  return ascends && ends ? {} : { fin: fieldText('not_after_start') };
}

/** @param {{ id: number, onDone: () => void }} props */
function Hours({ id, onDone }) {
  const [days, setDays] = useState([1, 2, 3, 4, 5]);
  /** @param {Times} times */
  const send = ({ debut, midi, reprise, fin }) => {
    const stretches = midi
      ? [
          { debut, fin: midi },
          { debut: reprise, fin },
        ]
      : [{ debut, fin }];
    const openings = days.flatMap((jour) =>
      stretches.map((stretch) => ({ jour, ...stretch, pasMinutes: 15, capacite: 1 })),
    );
    return put(`${pathOf(id)}/semainetype`, openings);
  };
  const usual = { debut: '09:00', midi: '12:00', reprise: '14:00', fin: '18:00' };
  /** @param {Times} times @returns {Record<string, string>} */
  const check = (times) => (days.length ? checkTimes(times) : { debut: t('noOpenDay') });
  const form = useForm(usual, send, { onDone, check });
  const { debut, fin } = form.values;
  const hint = fin && fin <= debut && t('endsNextDay');
  /** @param {string} name @param {string} label @param {object} more */
  const time = (name, label, more) => html`
    <${Field} ...${{ name, label, ...more }} type="time" />`;
  return html`
    <p class="muted">${t('moreLater')}</p>
    <${Form} form=${form} action=${t('finish')}>
      <${Weekdays} legend=${t('openDays')} chosen=${days} onChange=${setDays} />
      <div class="two">
        ${time('debut', t('opensAt'), { required: true })}
        ${time('fin', t('closesAt'), { required: true, hint })}
      </div>
      <div class="two">
        ${time('midi', t('breakFrom'), { required: false })}
        ${time('reprise', t('breakTo'), { required: false })}
      </div>
    <//>`;
}
