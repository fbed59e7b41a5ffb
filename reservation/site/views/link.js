// Page /rendez-vous#<token>, for links in e-mails: shows one booking without signing in.
import { link } from '../api.js';
import { Loaded } from '../parts/load.js';
import { Note, Page } from '../parts/page.js';
import { address } from '../router.js';
import { t } from '../texts/booking.js';
import { readStored, writeStored } from '../texts.js';
import { html, useEffect, useState } from '../vendor/htm-3.1.1.js';
import { OfCustomer, useBooked } from './booking.js';

/** @import { ViewProps } from '../types.js' */
/** @import { Booked } from './booking.js' */

const NAME = 'link'; // key in sessionStorage, where the token survives a reload

/** Moves the token from the URL into sessionStorage, to keep the token out of the history. */
function take() {
  const token = location.hash.slice(1) || readStored('sessionStorage', NAME) || '';
  if (location.hash) history.replaceState(history.state, '', location.pathname + location.search);
  writeStored('sessionStorage', NAME, token || null);
  const number = /^\d+(?=-)/.exec(token)?.[0];
  const taken = number ? { path: `api/reservations/${number}`, token } : null;
  link.set(taken);
  return { number, taken };
}

/** @param {ViewProps} props */
export default function View({ query }) {
  const [{ number, taken }] = useState(take);
  useEffect(
    () => () => {
      if (link.get() === taken) link.set(null);
    },
    [],
  );
  const held = link.use(); // null after the API has refused the token
  if (!held || held !== taken) return html`<${Ended} number=${number} />`;
  return html`<${Linked} path=${held.path} query=${query} />`;
}

/** @param {{ path: string, query: URLSearchParams }} props */
function Linked({ path, query }) {
  const { booked, show } = useBooked(path);
  return html`
    <${Loaded} from=${booked} whole>${(/** @type {Booked} */ value) => html`
      <${OfCustomer} ...${value} show=${show} query=${query} />`}<//>`;
}

/** @param {{ number?: string }} props */
function Ended({ number }) {
  const suite = number ? `reservations/${number}` : 'reservations';
  return html`
    <${Page} title=${t('linkEnded')} size="narrow">
      <${Note} tone="warn" icon="info">${t(number ? 'linkEndedWhy' : 'linkMissing')}<//>
      <p>${t('linkEndedHelp')}</p>
      <div><a class="button main" href=${address('connexion', { suite })}>${t('signIn')}</a></div>
    <//>`;
}
