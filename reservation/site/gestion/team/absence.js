// The dialog for the absence of a person. The API proposes a colleague or another time for each
// booking, and the owner accepts or rejects the proposals.
import { get, request } from '../../api.js';
import { capital, dateTime, isDay, plusDays, timeOf, today } from '../../dates.js';
import { nameOf, withName } from '../../parts/booking.js';
import { Dialog } from '../../parts/dialog.js';
import { Checkbox, Field, Form, useForm } from '../../parts/form.js';
import { Button, Note } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { toggled } from '../choices.js';
import { Done } from './outcome.js';

/** @import { Entreprise, OwnedReservation, Ressource } from '../../types.js' */
/** @import { Outcome } from './outcome.js' */

/**
 * @typedef {object} Proposal
 * @property {OwnedReservation} reservation
 * @property {{ creneauId: number, ressource: { id: number, nom: string }, debut: string }}
 *   [proposition]
 */
/** @typedef {{ du: string, au: string }} Dates */

const MOST = 100; // maximum number of moves in one request to the API
const DAYS = 31;

/**
 * Both date fields initially contain `day`. If `day` is null, invalid or past, the fields contain
 * today.
 * @param {{ member: Ressource, entreprise: Entreprise, day: string | null,
 *   onClose: () => void }} props
 */
export function Absence({ member, entreprise, day, onClose }) {
  const path = `api/ressources/${member.id}/absence`;
  const now = today(entreprise.fuseau);
  const [found, setFound] = useState(/** @type {Proposal[] | null} */ (null));
  const [outcome, setOutcome] = useState(/** @type {Outcome | null} */ (null));
  const first = isDay(day) && day > now ? day : now;
  const form = useForm({ du: first, au: first }, (dates) => get(path, dates), {
    onDone: setFound,
    light: true,
    period: ['du', 'au'],
  });
  const { du } = form.values;
  const dates = html`
    <p>${t('absenceHelp')}</p>
    <${Form} form=${form} action=${t('absenceSee')}>
      <div class="two">
        <${Field} name="du" type="date" min=${now} label=${t('firstDay')} />
        <${Field} name="au" type="date" min=${du} max=${plusDays(du || now, DAYS - 1)}
          label=${t('lastDay')} />
      </div>
    <//>`;
  const proposals = html`
    <${Proposals} ...${{ member, path, found }} dates=${form.values} onDone=${setOutcome}
      onBack=${() => setFound(null)} />`;
  return html`
    <${Dialog} title=${t('absenceOf', { name: member.nom })} onClose=${onClose}>
      ${!found && dates}
      ${found && !outcome && proposals}
      ${outcome && html`<${Done} ...${{ ...outcome, found, onClose }} />`}
    <//>`;
}

/**
 * @param {{ member: Ressource, path: string, found: Proposal[], dates: Dates,
 *   onDone: (outcome: Outcome) => void, onBack: () => void }} props
 */
function Proposals({ member, path, found, dates, onDone, onBack }) {
  const movable = found.filter(({ proposition }) => proposition);
  const initial = {
    accepted: movable.slice(0, MOST).map(({ reservation }) => reservation.id),
    message: '',
    shut: 'oui',
  };
  /** @param {typeof initial} values */
  const send = ({ accepted, message, shut }) =>
    request('POST', path, {
      query: { ...dates },
      body: {
        deplacements: movable
          .filter(({ reservation }) => accepted.includes(reservation.id))
          .map(({ reservation: { id, version }, proposition }) => ({
            reservation: id,
            version,
            ressourceId: proposition?.ressource.id,
            creneauId: proposition?.creneauId,
          })),
        message,
        fermeture: shut ? t('absenceTitle') : null,
      },
    });
  const form = useForm(initial, send, {
    onDone: (/** @type {Outcome} */ outcome, { shut }) => onDone({ ...outcome, shut }),
  });
  const { accepted } = form.values;
  const toggle = (/** @type {number} */ id) => form.set({ accepted: toggled(accepted, id) });
  const n = accepted.length;
  const tells = movable.some(
    ({ reservation: { id, client } }) => client.email && accepted.includes(id),
  );
  const action = n ? t('absenceApply', { n }) : t('absenceApplyNone');
  const back = html`<${Button} onClick=${onBack}>${t('back')}<//>`;
  const moves = html`
    <fieldset class="options proposals">
      <legend>${t('absenceProposals', { n: found.length })}</legend>
      <p class="hint">
        ${t('absenceTick')} ${movable.length > MOST && t('absenceMost', { n: MOST })}
      </p>
      ${found.map(
        (one) => html`
        <${Proposed} key=${one.reservation.id} ...${one} onToggle=${toggle}
          accepted=${accepted.includes(one.reservation.id)} full=${n >= MOST} />`,
      )}
    </fieldset>`;
  const word = html`
    <${Field} name="message" as="textarea" rows="2" label=${t('word')} hint=${t('wordHint')}
      required=${false} maxlength="1000" />`;
  return html`
    <${Form} form=${form} action=${action} aside=${back}>
      ${found.length > 0 && moves}
      ${!found.length && html`<${Note} tone="good" icon="check">${t('absenceNobody')}<//>`}
      ${tells && word}
      <${Checkbox} name="shut" label=${t('absenceShut', { name: member.nom })} />
    <//>`;
}

/**
 * @param {Proposal & { accepted: boolean, full: boolean, onToggle: (id: number) => void }} props
 */
function Proposed({ reservation, proposition, accepted, full, onToggle }) {
  const { id, debut, client, prestation } = reservation;
  const same = proposition?.debut === debut;
  const what = proposition && {
    when: same ? t('sameTime', { time: timeOf(debut) }) : dateTime(proposition.debut),
    who: withName(proposition.ressource) ?? '',
  };
  return html`
    <label>
      <input type="checkbox" checked=${accepted} disabled=${!proposition || (full && !accepted)}
        onChange=${() => onToggle(id)} />
      <span>
        <b>${nameOf(client)}</b>
        <small>${capital(dateTime(debut))} · ${prestation.nom}</small>
        <small class=${proposition ? 'proposal' : ''}>
          ${what ? t('absenceMove', what) : t('absenceNowhere')}
        </small>
      </span>
    </label>`;
}
