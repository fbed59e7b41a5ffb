// The draft of the weekly hours: a table, and the dialogs that change or save the draft.
import { capital, minuteOf, WEEKDAYS, weekdayName } from '../../dates.js';
import { fieldText } from '../../errors.js';
import { Dialog } from '../../parts/dialog.js';
import { Button, useUnsaved } from '../../parts/page.js';
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

/** @param {Opening[]} openings of a day, sorted by start */
const overlap = (openings) => openings.some((one, n) => n > 0 && openings[n - 1].fin > one.debut);

/**
 * The open dialog.
 * @typedef {object} Open
 * @property {number} [day] weekday of the opening
 * @property {Opening} [opening] absent for a new opening
 * @property {number} [copy] weekday whose openings are copied
 * @property {true} [save] saves the draft
 * @property {true} [follow] gives a person or a room the hours of the business
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
  /** @param {Opening | null} opening null deletes the opening that the dialog shows */
  const put = (opening) =>
    change([...draft.filter((one) => one !== open?.opening), ...(opening ? [opening] : [])]);
  /** @param {number[]} days */
  const copy = (days) =>
    change([
      ...draft.filter(({ jour }) => !days.includes(jour)),
      ...days.flatMap((jour) => on(open?.copy ?? 0).map((one) => ({ ...one, jour }))),
    ]);
  const changed = JSON.stringify(draft) !== JSON.stringify(ordered(saved ?? usual));
  const edited = !saved || changed;
  useUnsaved(own && changed);
  const wrong = WEEKDAYS.filter((day) => overlap(on(day)));
  const range = rangeOf(draft);
  const opening = { prestations, openings: on(open?.day ?? 0), onClose: close, onDone: put };
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
      <${Button} onClick=${() => setOpen({ follow: true })}>${t('followBusiness')}<//>
    </div>`;
  /** @param {Opening[] | null} week */
  const save = (week) => html`
    <${SaveHours} draft=${week} ...${{ target, again }} onClose=${close} />`;
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
            wrong=${wrong.includes(day)} onCopy=${() => setOpen({ copy: day })}
            onOpen=${(/** @type {Opening} */ opening) => setOpen({ day, opening })} />`,
        )}
      </tbody>
    </table>
    <${DraftBar} edited=${edited} wrong=${wrong.length > 0} onSave=${() => setOpen({ save: true })}
      onUndo=${undo} />
    ${name && saved && follow}
    ${open?.day && html`<${OpeningDialog} ...${{ ...open, ...opening }} />`}
    ${open?.copy && html`<${CopyDay} day=${open.copy} onClose=${close} onDone=${copy} />`}
    ${open?.save && save(draft)}
    ${open?.follow && save(null)}`;
}

/**
 * Returns the time range of the bars, in minutes after midnight. The range is 8:00 to 20:00, or
 * longer if an opening starts earlier or ends later.
 * @param {Opening[]} openings
 */
function rangeOf(openings) {
  const from = Math.min(480, ...openings.map(({ debut }) => minuteOf(debut)));
  const to = Math.max(1200, ...openings.map(({ fin }) => minuteOf(fin)));
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
  const { pasMinutes = 15, capacite = 1 } = last ?? {};
  const times =
    last && last.fin < '17:00'
      ? { debut: '14:00', fin: '18:00' }
      : { debut: '09:00', fin: '12:00' };
  return { jour, ...times, pasMinutes, capacite, prestationId: null };
}
