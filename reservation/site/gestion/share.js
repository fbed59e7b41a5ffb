// /gestion/{id}/partager: the public address of a business, the HTML of an iframe for other sites,
// and the private calendar feed.
import { get, post } from '../api.js';
import { Question } from '../parts/dialog.js';
import { Field, Form } from '../parts/form.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Button, say } from '../parts/page.js';
import { t } from '../texts/gestion.js';
import { html, useRef, useState } from '../vendor/htm-3.1.1.js';
import { Managed, pathOf } from './frame.js';
import { QrCode } from './qr.js';
import { useBusiness } from './settings/business.js';
import { active, MemberSelect } from './team/members.js';

/** @import { Ressource, ViewProps } from '../types.js' */
/** @import { Manage } from './frame.js' */

/** @param {string} path */
const absolute = (path) => new URL(path, document.baseURI).href;

/**
 * Makes the URL of a feed reachable from other computers. Replaces a local host, such as 127.0.0.1,
 * with the address of this site.
 * @param {string} url
 */
function reachable(url) {
  const { hostname } = new URL(url);
  const isLocal = /^(localhost|127\..*|\[::1\])$/.test(hostname);
  return isLocal ? absolute(url.slice(url.lastIndexOf('flux/'))) : url;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** @param {string} id @param {string} nom */
const frameOf = (id, nom) =>
  `<iframe src="${absolute(`integrer/${id}`)}"` +
  ` title="${escaped(t('frameTitle', { name: nom }))}"` +
  ' style="width: 100%; height: 720px; border: 0" loading="lazy"></iframe>';

/** @param {ViewProps} props */
export default function View({ id }) {
  return html`
    <${Managed} id=${id} page="partager" lead=${t('shareLead')}>
      ${(/** @type {Manage} */ { entreprise, team, changed, reload }) => html`
        <section class="card stack" aria-labelledby="page">
          <h2 id="page">${t('yourPage')}</h2>
          <p class="muted">${t('yourPageHelp')}</p>
          <${Copied} label=${t('yourPage')} text=${absolute(entreprise.adresseCourte)} />
          <div><a class="button small" href=${entreprise.adresseCourte}>${t('seePage')}</a></div>
          <${QrCode} text=${absolute(entreprise.adresseCourte)} name=${entreprise.adresseCourte} />
          <details>
            <summary>${t('changePageAddress')}</summary>
            <${AddressForm} key=${entreprise.version} ...${{ entreprise, changed, reload }} />
          </details>
        </section>
        <section class="card stack" aria-labelledby="frame">
          <h2 id="frame">${t('onYourSite')}</h2>
          <p class="muted">${t('onYourSiteHelp')}</p>
          <${Copied} label=${t('onYourSite')} text=${frameOf(id, entreprise.nom)} rows="4" />
          <div>
            <a class="button small" href="integrer/${id}" target="_blank">${t('seeFrame')}</a>
          </div>
        </section>
        <section class="card stack" aria-labelledby="feed">
          <h2 id="feed">${t('calendarFeed')}</h2>
          <p class="muted">${t('calendarFeedHelp')}</p>
          <${Feeds} id=${id} team=${active(team)} />
        </section>`}
    <//>`;
}

/** @param {Pick<Manage, 'entreprise' | 'changed' | 'reload'>} props */
function AddressForm({ reload, ...manage }) {
  const { adresseCourte } = manage.entreprise;
  const form = useBusiness(manage, { adresseCourte });
  return html`
    <p class="muted">${t('formerAddressHelp')}</p>
    <${Form} form=${form} action=${t('save')} reload=${reload}>
      <${Field} name="adresseCourte" label=${t('shortAddress')} maxlength="60"
        hint=${`${document.baseURI}…`} autocapitalize="off" spellcheck="false" />
    <//>`;
}

/**
 * A text with a Copy button.
 * @param {{ label: string, text: string, rows?: string }} props
 */
function Copied({ label, text, rows = '1' }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const select = () => field.current?.select();
  async function copy() {
    select();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      document.execCommand('copy'); // the Clipboard API needs https
    }
    say(t('copied'));
  }
  return html`
    <div class="copied">
      <textarea ref=${field} readonly rows=${rows} aria-label=${label} value=${text}
        spellcheck="false" onFocus=${select} />
      <${Button} icon="copy" aria-label=${t('copyText', { what: label })} onClick=${copy}>
        ${t('copy')}
      <//>
    </div>`;
}

/** @param {{ id: string, team: Ressource[] }} props */
function Feeds({ id, team }) {
  const [whose, setWhose] = useState('');
  const path = whose ? `api/ressources/${whose}` : pathOf(id);
  const choice = html`
    <${MemberSelect} label=${t('whom')} all=${t('wholeTeam')} members=${team} value=${whose}
      onChange=${setWhose} />`;
  return html`
    ${team.length > 0 && choice}
    <${Feed} key=${path} path=${`${path}/flux`} />`;
}

/** @param {{ path: string }} props */
function Feed({ path }) {
  const feed = useLoad(() => get(path), [path]);
  const [asking, setAsking] = useState(false);
  /** @param {{ url: string }} renewed */
  const onDone = (renewed) => {
    setAsking(false);
    feed.set(renewed);
    say(t('feedRenewed'));
  };
  const question = html`
    <${Question} title=${t('renewSure')} action=${t('renewFeed')} send=${() => post(path)}
      onDone=${onDone} onClose=${() => setAsking(false)}>
      <p>${t('renewHelp')}</p>
    <//>`;
  return html`
    <${Loaded} from=${feed} lines=${1}>${(/** @type {{ url: string }} */ { url }) => html`
      <${Copied} label=${t('calendarFeed')} text=${reachable(url)} rows="2" />
      <div>
        <${Button} class="small" onClick=${() => setAsking(true)}>${t('renewFeed')}<//>
      </div>`}<//>
    ${asking && question}`;
}
