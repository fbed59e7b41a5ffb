// The dialog that retires a person or a room. A retired person or room takes no new bookings. The
// dialog first shows what will happen to services and bookings, and at the end what has happened if
// more bookings stay or if the owner must tell customers who have no e-mail address.
import { get, request } from '../../api.js';
import { once } from '../../attempts.js';
import { Dialog, Sure } from '../../parts/dialog.js';
import { Field, Form, useForm } from '../../parts/form.js';
import { Button, Note, say } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { isolated } from '../../texts.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { Stranded } from '../settings/stranded.js';
import { active } from './members.js';
import { othersOf, performs } from './tasks.js';

/** @import { OwnedReservation, Prestation, Ressource } from '../../types.js' */

/**
 * @typedef {object} Retirement
 * @property {OwnedReservation[]} reservationsTouchees bookings that are not moved
 * @property {OwnedReservation[]} reservationsDeplacees bookings that are moved
 */

/**
 * @param {{ member: Ressource, team: Ressource[], prestations: Prestation[], onClose: () => void,
 *   reload: () => void }} props
 */
export function Retire({ member, team, prestations, onClose, reload }) {
  const { id, nom, genre, version } = member;
  const orphans = prestations.filter(
    (one) => performs(one, member, team) && !othersOf(one, member, team).length,
  );
  const [preview, setPreview] = useState(/** @type {Retirement | null} */ (null));
  const [outcome, setOutcome] = useState(/** @type {Retirement | null} */ (null));
  const path = `api/ressources/${id}`;
  /** @param {{ vers: string }} values @param {{ essai?: 1 }} [query] */
  const send = ({ vers }, query) => request('DELETE', path, { query: { ...query, vers }, version });
  // After a lost answer, the API would refuse the version. The preview says whom to call.
  const sendOnce = () =>
    once(
      `${path} ${version}`,
      () => send(form.values),
      async () => !(await get(path, { toutes: 1 })).actif && preview,
    );
  const form = useForm({ vers: '' }, (values) => send(values, { essai: 1 }), {
    light: true,
    onDone: setPreview,
  });
  const onDone = (/** @type {Retirement} */ done) => {
    const stay = preview?.reservationsTouchees.length ?? 0;
    const untold = untoldOf(genre, done.reservationsDeplacees);
    if (done.reservationsTouchees.length > stay || untold.length > 0) setOutcome(done);
    else reload();
    say(t('memberRetired', { name: nom }));
  };
  const others = active(team).filter((one) => one.genre === genre && one.id !== id);
  const ask = html`
    <${Form} form=${form} action=${t('seeEffects')} reload=${reload}>
      <${Field} name="vers" as="select" label=${t('movesTo')} required=${null}>
        <option value="">${t('movesNowhere')}</option>
        ${others.map(
          (one) => html`
          <option key=${one.id} value=${one.id}>${t('movesTowards', { name: one.nom })}</option>`,
        )}
      <//>
    <//>`;
  const sure = html`
    <${Effects} ...${{ genre, orphans, ...preview }} />
    <${Sure} action=${t('retireYes')} danger send=${sendOnce}
      onBack=${() => setPreview(null)} ...${{ onDone, reload }} />`;
  const done = html`
    <${Effects} ...${{ genre, orphans, ...outcome }} />
    <div class="actions"><${Button} class="main" onClick=${reload}>${t('close')}<//></div>`;
  return html`
    <${Dialog} title=${t('retireMember', { name: nom })} onClose=${outcome ? reload : onClose}>
      ${!preview && ask}
      ${preview && !outcome && sure}
      ${outcome && done}
    <//>`;
}

/**
 * Returns the moved bookings whose customers the owner must call. Nobody is told about a new room.
 * @param {Ressource['genre']} genre
 * @param {OwnedReservation[]} moved
 */
const untoldOf = (genre, moved) =>
  genre === 'personne' ? moved.filter(({ client }) => !client.email) : [];

/**
 * `orphans` are the services that nobody else performs, or that have no other room.
 * @param {Retirement & { genre: Ressource['genre'], orphans: Prestation[] }} props
 */
function Effects({ genre, orphans, reservationsTouchees: stay, reservationsDeplacees: moved }) {
  const untold = untoldOf(genre, moved);
  const names = orphans.map(({ nom }) => isolated(nom)).join(', ');
  return html`
    ${
      orphans.length > 0 &&
      html`
      <${Note} tone="warn" icon="alert">${t(`orphans_${genre}`, { names })}<//>`
    }
    ${
      moved.length > 0 &&
      html`<${Note} tone="good" icon="swap">${t('movedBookings', { n: moved.length })}<//>`
    }
    ${untold.length > 0 && html`<${Stranded} reservations=${untold} kept=${t('absenceUntold')} />`}
    ${
      (stay.length > 0 || !moved.length) &&
      html`<${Stranded} reservations=${stay} kept=${t('keptBookings')} />`
    }`;
}
