// /gestion/{id}/partager: the addresses to give away: the page, the frame for one's own site, and
// the private calendar.
import { html, useRef, useState } from '../../vendor/htm-3.1.1.js';
import { get, post } from '../../api.js';
import { Dialog } from '../../parts/dialog.js';
import { Form, useForm } from '../../parts/form.js';
import { Icon, Loaded, say, useLoad } from '../../parts/page.js';
import { t } from '../../texts.js';
import '../../texts/business.js';
import { Managed, pathOf } from './frame.js';

const whole = (path) => new URL(path, document.baseURI).href;
const quoted = (text) => text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export default function View({ id }) {
  return html`
    <${Managed} id=${id} page="partager" lead=${t('shareLead')}>${(entreprise) => {
      const frame = `<iframe src="${whole(`integrer/${id}`)}" title="${quoted(t('frameTitle', { name: entreprise.nom }))}" style="width: 100%; height: 720px; border: 0" loading="lazy"></iframe>`;
      return html`
        <section class="card stack" aria-labelledby="page">
          <h2 id="page">${t('yourPage')}</h2><p class="muted">${t('yourPageHelp')}</p>
          <${Copied} label=${t('yourPage')} text=${whole(`entreprises/${id}`)} />
          <div><a class="button small" href="entreprises/${id}">${t('seePage')}</a></div>
        </section>
        <section class="card stack" aria-labelledby="frame">
          <h2 id="frame">${t('onYourSite')}</h2><p class="muted">${t('onYourSiteHelp')}</p>
          <${Copied} label=${t('onYourSite')} text=${frame} rows="4" />
          <div><a class="button small" href="integrer/${id}" target="_blank">${t('seeFrame')}</a></div>
        </section>
        <section class="card stack" aria-labelledby="feed">
          <h2 id="feed">${t('calendarFeed')}</h2><p class="muted">${t('calendarFeedHelp')}</p>
          <${Feed} path=${`${pathOf(id)}/flux`} />
        </section>`;
    }}<//>`;
}

/** A text that is there to be copied. */
function Copied({ label, text, rows = '1' }) {
  const field = useRef();
  async function copy() {
    field.current.select();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      document.execCommand('copy'); // where the site is not served over https
    }
    say(t('copied'));
  }
  return html`
    <div class="copied">
      <textarea ref=${field} readonly rows=${rows} aria-label=${label} value=${text} onFocus=${(event) => event.target.select()} spellcheck="false" />
      <button type="button" aria-label=${t('copyText', { what: label })} onClick=${copy}><${Icon} name="copy" />${t('copy')}</button>
    </div>`;
}

function Feed({ path }) {
  const feed = useLoad(() => get(path), [path]);
  const [asking, ask] = useState(false);
  return html`
    <${Loaded} from=${feed} lines=${1}>${({ url }) => html`
      <${Copied} label=${t('calendarFeed')} text=${url} rows="2" />
      <div><button type="button" class="small" onClick=${() => ask(true)}>${t('renewFeed')}</button></div>`}<//>
    ${asking && html`<${Renew} path=${path} onClose=${() => ask(false)} onDone=${(renewed) => { ask(false); feed.set(renewed); say(t('feedRenewed')); }} />`}`;
}

function Renew({ path, onClose, onDone }) {
  const form = useForm({}, () => post(path), { onDone });
  return html`
    <${Dialog} title=${t('renewSure')} onClose=${onClose}>
      <p>${t('renewHelp')}</p>
      <${Form} of=${form} danger action=${t('renewFeed')} aside=${html`<button type="button" onClick=${onClose}>${t('back')}</button>`} />
    <//>`;
}
