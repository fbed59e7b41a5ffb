// Moves a customer's booking. The customer chooses a time and confirms the move.
import { get, known, put } from '../api.js';
import { capital, dateTime, dayOf, dotted, isDay } from '../dates.js';
import { refusalOf } from '../errors.js';
import { withName } from '../parts/booking.js';
import { Dialog } from '../parts/dialog.js';
import { Loaded, Trouble, useAction, useLoad } from '../parts/load.js';
import { Button, Icon, say } from '../parts/page.js';
import { choicesOf, PersonSelect, teamPath } from '../parts/people.js';
import { Alternatives } from '../parts/times.js';
import { Week } from '../parts/week.js';
import { setQuery } from '../router.js';
import { t } from '../texts/booking.js';
import { html, useState } from '../vendor/htm-3.1.1.js';
import { focusHeading, isOpen } from './booking.js';

/** @import { Prestation, Reservation, Ressource, Start } from '../types.js' */
/** @import { Shown } from './booking.js' */

/** @param {Shown & { query: URLSearchParams, onDone: () => void }} props */
export function Move({ reservation, entreprise, query, show, onDone }) {
  const service = `api/prestations/${reservation.prestationId}`;
  const team = teamPath(entreprise.id);
  const read = useLoad(() => Promise.all([known(service), known(team)]), [service, team]);
  const [avec, setAvec] = useState(reservation.ressource?.id);
  /** @param {Start} start @param {Ressource} [person] */
  const send = async (start, person) => {
    setChosen(null);
    const moved = await moveTo(reservation, start, person);
    show(moved);
    onDone();
    setQuery({ deplacer: '', semaine: '', nouvelle: '' });
    const asks = moved.statut === 'demandee';
    say(t(asks ? 'movedIfApproved' : 'moved', { when: dateTime(moved.debut) }));
    focusHeading();
  };
  const { run, failed } = useAction(send);
  const [chosen, setChosen] = useState(/** @type {Chosen | null} */ (null));
  const choose = (/** @type {Start} */ start, /** @type {Ressource} */ person) =>
    setChosen({ start, person });
  const semaine = query.get('semaine');
  const error = failed && refusalOf(failed.error);
  const taken = error?.code === 'slot_taken' ? error : null;
  /** @param {[Prestation, Ressource[]]} value */
  const draw = ([prestation, members]) => {
    const people = choicesOf(prestation, members);
    const person = people.find(({ id }) => id === avec);
    const of = { entreprise, prestation, choose, people, person };
    const choice = html`
      <${PersonSelect} id="move-who" label=${t('whoLabel')} ...${of} onPerson=${setAvec} />`;
    return html`
      <${Alternatives} ...${of} refusal=${taken} />
      ${!taken && html`<${Trouble} ...${failed} />`}
      ${people.length > 0 && choice}
      <${Week} ...${of} places=${reservation.places}
        from=${isDay(semaine) ? semaine : dayOf(reservation.debut)}
        onWeek=${(/** @type {string} */ day) => setQuery({ semaine: day })} />`;
  };
  return html`
    <section class="card stack" aria-labelledby="move">
      <div class="spread">
        <h2 id="move" tabindex="-1">${t('moveTitle')}</h2>
        <${Button} class="small" onClick=${() => setQuery({ deplacer: '', semaine: '' })}>
          ${t('moveKeep')}
        <//>
      </div>
      <${Loaded} from=${read}>${draw}<//>
      ${
        chosen &&
        html`
        <${Sure} reservation=${reservation} ...${chosen} onClose=${() => setChosen(null)}
          onSure=${() => run(chosen.start, chosen.person)} />`
      }
    </section>`;
}

/**
 * Moves the booking. Also succeeds if an earlier attempt has moved the booking and its answer was
 * lost.
 * @param {Reservation} reservation
 * @param {Start} start
 * @param {Ressource} [person]
 * @returns {Promise<Reservation>}
 */
async function moveTo({ id, version }, start, person) {
  const path = `api/reservations/${id}`;
  try {
    return await put(path, { creneauId: start.id, ressourceId: person?.id, version });
  } catch (error) {
    if (refusalOf(error).code !== 'stale_version') throw error;
    const now = await get(path);
    const isThere = now.debut === start.debut && (!person || now.ressource?.id === person.id);
    if (isThere && isOpen(now)) return now;
    throw error;
  }
}

/** @typedef {{ start: Start, person?: Ressource }} Chosen */

/** @param {Chosen & { reservation: Reservation, onSure: () => void, onClose: () => void }} props */
const Sure = ({ reservation, start, person, onSure, onClose }) => html`
  <${Dialog} title=${t('moveSure')} onClose=${onClose}>
    <dl class="facts">
      <div>
        <${Icon} name="calendar" /><dt>${t('timeNow')}</dt>
        <dd><s>${of(reservation, reservation.ressource)}</s></dd>
      </div>
      <div>
        <${Icon} name="right" /><dt>${t('timeThen')}</dt>
        <dd><b>${of(start, person)}</b></dd>
      </div>
    </dl>
    <div class="actions">
      <${Button} class="main" onClick=${onSure}>${t('moveIt')}<//>
      <${Button} onClick=${onClose}>${t('back')}<//>
    </div>
  <//>`;

/** @param {{ debut: string }} time @param {{ nom: string }} [person] */
const of = ({ debut }, person) => dotted(capital(dateTime(debut)), withName(person));
