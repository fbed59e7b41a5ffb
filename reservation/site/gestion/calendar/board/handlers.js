// The handlers of clicks and drags on the board.
import { notLoaded } from '../../../api.js';
import { dayOf } from '../../../dates.js';
import { explain } from '../../../errors.js';
import { say } from '../../../parts/page.js';
import { setQuery } from '../../../router.js';
import { t } from '../../../texts/calendar.js';
import { heldBy } from '../../team/members.js';
import { withSlots } from '../reading.js';
import { wallOf } from '../spans.js';

/** @import { Open } from '../dialogs.js' */
/** @import { CalendarDays, Shown } from '../reading.js' */
/** @import { Handlers } from './options.js' */

/**
 * `manager` is true if the user may change closures.
 * @param {{ value: CalendarDays, shown: Shown, manager: boolean,
 *   setOpen: (open: Open) => void }} of
 * @returns {Handlers}
 */
export function handlersOf({ value, shown, manager, setOpen }) {
  const { team, who } = shown;
  return {
    onVisits: (visits, chosen) => setOpen({ visits, chosen }),
    onEvent: (event) => manager && setOpen({ event }),
    onGrab: async () => {
      const rules = import('./conflict.js').catch(notLoaded);
      return { calendar: await withSlots(value, shown), rules: await rules };
    },
    onMove: async ({ reservations: [reservation] }, target, revert, reading) => {
      try {
        const { calendar, rules } = await reading;
        const conflict = rules.conflictOf(calendar, team, reservation, target);
        const start = rules.startAt(calendar, target);
        if (!conflict && start) return setOpen({ dropped: { reservation, start, target }, revert });
        say(`${t(conflict ?? 'dropClosed')} ${t('dropKept')}`);
      } catch (error) {
        say(explain(error).general);
      }
      return revert();
    },
    onMoveEvent: (event, target, revert) => setOpen({ dropped: { event, target }, revert }),
    onTime: ({ from, to, member }) => {
      const { creneaux } = value.entries.find((one) => one.member === member) ?? value.entries[0];
      const under = creneaux.findLast((one) => wallOf(one.debut) <= from && wallOf(one.fin) > from);
      const dragged = to > from;
      const debut = dragged ? from : (under?.debut ?? from);
      const fin = dragged ? to : undefined;
      setOpen({ gap: { day: dayOf(from), debut, fin, ...heldBy(member ?? who) } });
    },
    onDay: (day) => setQuery({ vue: 'jour', jour: day }),
  };
}
