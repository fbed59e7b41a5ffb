// The form that blocks a time of a person, a room or the whole business.
import { post } from '../../../api.js';
import { addOnce } from '../../../attempts.js';
import { dayOf, instantAt, timeOf } from '../../../dates.js';
import { fieldText } from '../../../errors.js';
import { Field, Form, useForm } from '../../../parts/form.js';
import { say } from '../../../parts/page.js';
import { t } from '../../../texts/gestion.js';
import { html, useState } from '../../../vendor/htm-3.1.1.js';
import { Whom } from '../../choices.js';
import { pathOf } from '../../frame.js';
import { Stranded } from '../../settings/stranded.js';
import { active } from '../../team/members.js';
import { plusMinutes, wallOf } from '../spans.js';

/** @import { Effects, OwnedReservation } from '../../../types.js' */
/** @import { NewBookingProps } from './booking.js' */

const LENGTH = 30; // minutes

/** Returns '24:00' for '00:00': a blocked time ends on its day. @param {string} to */
const lastTime = (to) => (to === '00:00' ? '24:00' : to);

/** @param {{ from: string, to: string }} values @returns {Record<string, string>} */
const check = ({ from, to }) => (from < lastTime(to) ? {} : { to: fieldText('not_after_start') });

/** @param {NewBookingProps} props */
export function Block({ entreprise, team, at, onDone }) {
  const [stranded, setStranded] = useState(/** @type {OwnedReservation[]} */ ([]));
  const debut = at.debut ?? `${at.day}T12:00`;
  const fin = at.fin ?? plusMinutes(wallOf(debut), LENGTH);
  const initial = {
    titre: t('blockTitle'),
    day: dayOf(debut),
    from: timeOf(debut),
    to: timeOf(fin),
    ressourceId: String(at.lieu ?? at.ressource ?? ''),
  };
  /** @param {typeof initial} values */
  const send = async ({ titre, day, from, to, ressourceId }) => {
    const path = `${pathOf(entreprise.id)}/evenements`;
    const body = {
      type: 'fermeture',
      titre,
      debut: instantAt(entreprise.fuseau, `${day}T${from}`),
      fin: instantAt(entreprise.fuseau, `${day}T${lastTime(to)}`),
      ressourceId: Number(ressourceId) || null,
    };
    /** @type {Effects} */
    const { reservationsTouchees } = await post(path, body, { essai: 1 });
    const known = new Set(stranded.map(({ id }) => id));
    const news = reservationsTouchees.filter(({ id }) => !known.has(id));
    setStranded(reservationsTouchees);
    return news.length ? null : addOnce(path, body);
  };
  const form = useForm(initial, send, {
    check,
    names: { debut: 'from', fin: 'to' },
    onDone: (/** @type {unknown} */ made) => {
      if (!made) return; // not blocked yet: the form shows the affected bookings
      say(t('timeBlocked'));
      onDone();
    },
  });
  return html`
    <${Form} form=${form} action=${t(stranded.length ? 'blockAnyway' : 'blockYes')}>
      <${Field} name="titre" label=${t('eventTitle')} hint=${t('blockTitleHint')} maxlength="150" />
      <${Whom} members=${active(team)} />
      <${Field} name="day" type="date" label=${t('day')} />
      <div class="two">
        <${Field} name="from" type="time" label=${t('fromTime')} />
        <${Field} name="to" type="time" label=${t('toTime')} />
      </div>
      ${stranded.length > 0 && html`<${Stranded} reservations=${stranded} told />`}
    <//>`;
}
