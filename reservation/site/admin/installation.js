// /admin/installation: version, unsafe features, unsent messages, the last backup, all settings.
import { get } from '../api.js';
import { capital, dateTime, span } from '../dates.js';
import { Loaded, useLoad } from '../parts/load.js';
import { Note } from '../parts/page.js';
import { t } from '../texts/admin.js';
import { html } from '../vendor/htm-3.1.1.js';
import { Console } from './frame.js';

/** @import { VNode } from '../vendor/htm-3.1.1.js' */

/**
 * An unsafe feature that can be enabled.
 * @typedef {'login_form' | 'teste' | 'register_admin' | 'register_form' | 'common_passwords'
 *   | 'unproven_addresses' | 'no_limits' | 'mail_kept'} Door
 */

/**
 * @typedef {{ version: string, schema: number, base: string, reglages: Record<string, string>,
 *   portesOuvertes: Door[], emails: Record<string, number>, retardSecondes: number,
 *   derniereSauvegarde: string | null }} Installation
 */

// If a message is overdue by more than this many seconds, the mail worker has probably stopped.
const LATE = 300;
const OLD = 7 * 86_400_000; // ms after which a backup is old

export default function View() {
  return html`<${Console} path="admin/installation"><${Read} /><//>`;
}

function Read() {
  const found = useLoad(() => get('api/installation'), []);
  return html`
    <${Loaded} from=${found}>${(/** @type {Installation} */ one) => html`
      <${Warnings} ...${one} />
      <${Facts} ...${one} />
      <${Settings} ...${one} />`}<//>`;
}

/** @param {Installation} props */
function Warnings({ portesOuvertes, retardSecondes, derniereSauvegarde }) {
  const backup = derniereSauvegarde ? Date.parse(derniereSauvegarde) : 0;
  const late = retardSecondes > LATE && t('late', { span: span(Math.floor(retardSecondes / 60)) });
  const old = Date.now() - backup > OLD && t(backup ? 'oldBackup' : 'noBackup');
  /** @param {string | false} text */
  const note = (text) => text && html`<${Note} tone="warn" icon="alert">${text}<//>`;
  const doors = html`
    <section class="note warn" aria-labelledby="doors">
      <div class="stack tight">
        <h2 id="doors">${t('openDoors')}</h2>
        <ul>${portesOuvertes.map((door) => html`<li>${t(`door_${door}`)}</li>`)}</ul>
      </div>
    </section>`;
  return html`${note(late)} ${note(old)} ${portesOuvertes.length > 0 && doors}`;
}

/** @param {Installation} props */
function Facts({ version, schema, base, emails, derniereSauvegarde }) {
  const held = t('onHold', { n: emails.retenu });
  const waiting = `${emails.attente} · ${held} · ${t('failed', { n: emails.abandonne })}`;
  const backup = derniereSauvegarde ? capital(dateTime(derniereSauvegarde)) : t('never');
  /** @type {[string, VNode | string | number][]} */
  const facts = [
    [t('version'), version],
    [t('database'), html`<code>${base}</code>`],
    [t('schemaVersion'), schema],
    [t('queued'), waiting],
    [t('lastBackup'), backup],
  ];
  return html`<div class="scroll card"><${Pairs} pairs=${facts} /></div>`;
}

/** @param {Installation} props */
const Settings = ({ reglages }) => html`
  <section class="stack">
    <h2>${t('settings')}</h2>
    <p class="muted">${t('settingsLead')}</p>
    <div class="scroll card" tabindex="0" role="region" aria-label=${t('settings')}>
      <${Pairs} lang="en" pairs=${Object.entries(reglages).map((pair) =>
        pair.map((text) => html`<code>${text || '—'}</code>`),
      )} />
    </div>
  </section>`;

/** @param {{ pairs: [unknown, unknown][], lang?: string }} props */
const Pairs = ({ pairs, lang }) => html`
  <table class="pairs" lang=${lang}>
    <tbody>
      ${pairs.map(
        ([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`,
      )}
    </tbody>
  </table>`;
