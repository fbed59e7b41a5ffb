// The draft of the weekly hours: a table, and the dialogs that change or save the draft.
import { capital, endOf, minuteOf, WEEKDAYS, weekdayName } from '../../dates.js';
import { fieldText } from '../../errors.js';
import { Dialog } from '../../parts/dialog.js';
import { Button } from '../../parts/page.js';
import { useUnsaved } from '../../sending.js';
import { t } from '../../texts/gestion.js';
import { html, useState } from '../../vendor/htm-3.1.1.js';
import { DayRow } from './day-row.js';
import { CopyDay, OpeningForm } from './opening.js';
import { SaveHours } from './save-hours.js';

/** @import { Opening, Prestation } from '../../types.js' */
/** @import { Target } from './hours.js' */

/** @param {Opening[]} openings */
const ordered = (openings) =>
  openings.toSorted((a, b) => a.jour - b.jour || a.debut.localeCompare(b.debut));

const WEEK = 7 * 1440; // minutes

/** Returns whether `other` begins during `one`. @param {Opening} one @param {Opening} other */
const beginsIn = (one, other) => {
  const after = (other.jour - one.jour) * 1440 + minuteOf(other.debut) - minuteOf(one.debut);
  return (after + WEEK) % WEEK < endOf(one) - minuteOf(one.debut);
};

/** @param {Opening} one @param {Opening[]} openings */
const overlaps = (one, openings) =>
  openings.some((other) => other !== one && (beginsIn(one, other) || beginsIn(other, one)));

/**
 * The open dialog:
 * - 'opening' changes `opening`, or adds an opening to `day` if `opening` is not set.
 * - 'copy' copies the openings of `day` to other days.
 * - 'save' saves `week`. If `week` is null, a person or a room gets the hours of the business.
 * @typedef {{ dialog: 'opening', day: number, opening?: Opening }
 *   | { dialog: 'copy', day: number }
 *   | { dialog: 'save', week: Opening[] | null }} Open
 */

/**
 * `usual` has the hours of the business. `saved` has the hours of `target`. If `target` is a person
 * or a room that follows the hours of the business, `saved` is null.
 * @param {{ target: Target, usual: Opening[], saved: Opening[] | null,
 *   prestations: Prestation[], again: () => void }} props
 */
export function Draft({ target, usual, saved, prestations, again }) {
  const name = target.own?.nom;
  const [draft, setDraft] = useState(() => ordered(saved ?? usual));
  const [own, setOwn] = useState(Boolean(saved));
  const [open, setOpen] = useState(/** @type {Open | null} */ (null));
  const close = () => setOpen(null);
  /** @param {number} day */
  const on = (day) => draft.filter(({ jour }) => jour === day);
  /** @param {Opening[]} openings */
  const change = (openings) => {
    setDraft(ordered(openings));
    close();
  };
  /** @param {Opening | undefined} before @param {Opening | null} after null deletes `before` */
  const put = (before, after) =>
    change([...draft.filter((one) => one !== before), ...(after ? [after] : [])]);
  /** @param {number} day @param {number[]} days */
  const copy = (day, days) =>
    change([
      ...draft.filter(({ jour }) => !days.includes(jour)),
      ...days.flatMap((jour) => on(day).map((one) => ({ ...one, jour }))),
    ]);
  const changed = JSON.stringify(draft) !== JSON.stringify(ordered(saved ?? usual));
  const edited = !saved || changed;
  useUnsaved(own && changed);
  const wrong = WEEKDAYS.filter((day) => on(day).some((one) => overlaps(one, draft)));
  const range = rangeOf(draft);
  if (!own) {
    return html`
      <p>${t('followsBusiness', { name })}</p>
      <div><${Button} onClick=${() => setOwn(true)}>${t('setOwnHours')}<//></div>`;
  }
  const undo = () => {
    setOwn(Boolean(saved));
    change(saved ?? usual);
  };
  const follow = html`
    <div>
      <${Button} onClick=${() => setOpen({ dialog: 'save', week: null })}>
        ${t('followBusiness')}
      <//>
    </div>`;
  return html`
    <table class="weekly card">
      <caption class="unseen">${t('pageHours')}</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">${t('day')}</th>
          <th scope="col">${t('openings')}</th>
          <th scope="col">${t('edit')}</th>
        </tr>
      </thead>
      <tbody>
        ${WEEKDAYS.map(
          (day) => html`
          <${DayRow} key=${day} ...${{ day, range, prestations }} openings=${on(day)}
            wrong=${wrong.includes(day)} onCopy=${() => setOpen({ dialog: 'copy', day })}
            onOpen=${(/** @type {Opening} */ opening) =>
              setOpen({ dialog: 'opening', day, opening })} />`,
        )}
      </tbody>
    </table>
    <${DraftBar} edited=${edited} wrong=${wrong.length > 0} onUndo=${undo}
      onSave=${() => setOpen({ dialog: 'save', week: draft })} />
    ${name && saved && follow}
    ${
      open?.dialog === 'opening' &&
      html`
      <${OpeningDialog} ...${open} openings=${on(open.day)} prestations=${prestations}
        onClose=${close} onDone=${(/** @type {Opening | null} */ after) => put(open.opening, after)}
      />`
    }
    ${
      open?.dialog === 'copy' &&
      html`
      <${CopyDay} day=${open.day} onClose=${close}
        onDone=${(/** @type {number[]} */ days) => copy(open.day, days)} />`
    }
    ${
      open?.dialog === 'save' &&
      html`
      <${SaveHours} ...${{ target, again }} draft=${open.week} onClose=${close} />`
    }`;
}

/**
 * Returns the time range of the bars, in minutes after midnight. The range is 8:00 to 20:00, or
 * longer if an opening starts earlier or ends later.
 * @param {Opening[]} openings
 */
function rangeOf(openings) {
  const from = Math.min(480, ...openings.map(({ debut }) => minuteOf(debut)));
  const to = Math.max(1200, ...openings.map(endOf));
  return { from: Math.floor(from / 120) * 120, to: Math.ceil(to / 120) * 120 };
}

/** @param {{ edited: boolean, wrong: boolean, onSave: () => void, onUndo: () => void }} props */
function DraftBar({ edited, wrong, onSave, onUndo }) {
  if (!edited) return html`<div class="draft" aria-live="polite" />`;
  return html`
    <div class="draft edited" aria-live="polite">
      <p>${wrong ? fieldText('overlap') : t('unsaved')}</p>
      <div class="row">
        <${Button} class="main" disabled=${wrong} onClick=${onSave}>${t('seeEffects')}<//>
        <${Button} onClick=${onUndo}>${t('undo')}<//>
      </div>
    </div>`;
}

/**
 * @param {{ day: number, opening?: Opening, openings: Opening[], prestations: Prestation[],
 *   onClose: () => void, onDone: (opening: Opening | null) => void }} props
 */
function OpeningDialog({ day, opening, openings, prestations, onClose, onDone }) {
  const label = capital(weekdayName(day));
  const text = t(opening ? 'editOpening' : 'addOpeningHours').toLowerCase();
  return html`
    <${Dialog} title=${t('labelled', { label, text })} onClose=${onClose}>
      <${OpeningForm} opening=${opening ?? newOpening(day, openings)} isNew=${!opening}
        ...${{ prestations, onDone }} />
    <//>`;
}

/**
 * @param {number} jour
 * @param {Opening[]} openings
 * @returns {Opening}
 */
function newOpening(jour, openings) {
  const last = openings.at(-1);
  const forAll = openings.findLast(({ prestationId }) => !prestationId);
  const { pasMinutes = 15, capacite = 1 } = forAll ?? {};
  const times =
    last && last.fin < '17:00'
      ? { debut: '14:00', fin: '18:00' }
      : { debut: '09:00', fin: '12:00' };
  return { jour, ...times, pasMinutes, capacite, prestationId: null };
}
