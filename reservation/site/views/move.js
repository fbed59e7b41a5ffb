// Moves a customer's booking. The customer chooses a time and confirms the move.
import { get, known, put } from '../api.js';
import { capital, dateTime, dayOf, dotted, isDay } from '../dates.js';
import { fieldText, refusalOf } from '../errors.js';
import { Deadline, Fact, withName } from '../parts/booking.js';
import { Dialog, Sure } from '../parts/dialog.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Button, focusOn, Note, say, watchPage } from '../parts/page.js';
import { choicesOf, PersonSelect, teamPath } from '../parts/people.js';
import { Alternatives } from '../parts/times.js';
import { Week } from '../parts/week.js';
import { setQuery } from '../router.js';
import { t } from '../texts/booking.js';
import { html, useState } from '../vendor/htm-3.1.1.js';
import { isOpen } from './booking.js';

/** @import { Refusal } from '../api.js' */
/** @import { Entreprise, Prestation, Reservation, Ressource, Start } from '../types.js' */
/** @import { Shown } from './booking.js' */

/** @param {Shown & { query: URLSearchParams, onDone: () => void }} props */
export function Move({ reservation, entreprise, query, show, onDone }) {
  const service = `api/prestations/${reservation.prestationId}`;
  const team = teamPath(entreprise.id);
  const read = useLoad(() => Promise.all([known(service), known(team)]), [service, team]);
  const [avec, setAvec] = useState(reservation.ressource?.id);
  const [chosen, setChosen] = useState(/** @type {Chosen | null} */ (null));
  const [taken, setTaken] = useState(/** @type {Refusal | null} */ (null));
  const [round, setRound] = useState(1);
  const close = () => setChosen(null);
  const hasLeft = watchPage();
  /** @param {Chosen} wanted */
  const send = async ({ start, person }) => {
    setTaken(null);
    try {
      return await moveTo(reservation, start, person, show);
    } catch (error) {
      if (refusalOf(error).code === 'slot_taken') {
        setTaken(refusalOf(error));
        setRound(round + 1);
        close();
      }
      throw error;
    }
  };
  /** @param {Reservation} now */
  const done = (now) => {
    close();
    show(now);
    say(resultOf(now));
    if (hasLeft()) return;
    onDone();
    setQuery({ deplacer: '', semaine: '', nouvelle: '' });
    focusOn();
  };
  const choose = (/** @type {Start} */ start, /** @type {Ressource} */ person) =>
    setChosen({ start, person });
  const semaine = query.get('semaine');
  /** @param {[Prestation, Ressource[]]} value */
  const draw = ([prestation, members]) => {
    const people = choicesOf(prestation, members);
    const person = people.find(({ id }) => id === avec);
    const of = { entreprise, prestation, choose, people, person };
    return html`
      <${Alternatives} ...${of} refusal=${taken} />
      <${PersonSelect} id="move-who" label=${t('whoLabel')} ...${of} onPerson=${setAvec} />
      <${Week} ...${of} moved=${reservation} round=${round}
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
        <${Confirmed} ...${{ reservation, entreprise, ...chosen }} send=${() => send(chosen)}
          onDone=${done} onClose=${close} />`
      }
    </section>`;
}

/**
 * Moves the booking, and returns it. If the booking has changed meanwhile:
 * - Returns the booking if it is no longer open, or if an earlier attempt, whose answer was lost,
 *   has moved it already.
 * - Otherwise, shows the change and throws an error, so that the customer confirms the move again.
 * @param {Reservation} reservation
 * @param {Start} start
 * @param {Ressource | undefined} person
 * @param {Shown['show']} show
 * @returns {Promise<Reservation>}
 */
async function moveTo({ id, version }, start, person, show) {
  const path = `api/reservations/${id}`;
  try {
    return await put(path, { creneauId: start.id, ressourceId: person?.id, version });
  } catch (error) {
    if (refusalOf(error).code !== 'stale_version') throw error;
    const now = await get(path);
    const isThere = now.debut === start.debut && (!person || now.ressource?.id === person.id);
    if (isThere || !isOpen(now)) return now;
    show(now);
    throw error;
  }
}

/** @param {Reservation} reservation */
function resultOf({ statut, debut }) {
  const when = dateTime(debut);
  if (statut === 'demandee') return t('movedIfApproved', { when });
  if (statut === 'confirmee') return t('moved', { when });
  return statut === 'annulee' ? t('cancelled') : fieldText('not_movable');
}

/** @typedef {{ start: Start, person?: Ressource }} Chosen */

/**
 * @param {Chosen & { reservation: Reservation, entreprise: Entreprise,
 *   send: () => Promise<Reservation>, onDone: (now: Reservation) => void, onClose: () => void
 * }} props
 */
function Confirmed({ reservation, entreprise, start, person, send, onDone, onClose }) {
  const asks = entreprise.validationManuelle;
  return html`
    <${Dialog} title=${t('moveSure')} onClose=${onClose}>
      <dl class="facts">
        <${Fact} icon="calendar" label=${t('timeNow')}>
          <s>${of(reservation, reservation.ressource)}</s>
        <//>
        <${Fact} icon="right" label=${t('timeThen')}><b>${of(start, person)}</b><//>
      </dl>
      ${asks && html`<${Note} tone="warn" icon="alert">${t('moveAsks')}<//>`}
      <${Deadline} entreprise=${entreprise} debut=${start.debut} />
      <${Sure} action=${t(asks ? 'askFor' : 'moveIt')} ...${{ send, onDone }} onBack=${onClose}
        codes=${{ stale_version: { field: '', text: t('changedSince') } }} />
    <//>`;
}

/** @param {{ debut: string }} time @param {{ nom: string }} [person] */
const of = ({ debut }, person) => dotted(capital(dateTime(debut)), withName(person));
