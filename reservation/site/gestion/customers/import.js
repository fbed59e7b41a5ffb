// The dialog that imports customers from a CSV file. The API checks the file before the import.
import { post, Refusal } from '../../api.js';
import { fieldText } from '../../errors.js';
import { Dialog, Sure } from '../../parts/dialog.js';
import { Trouble, useAction } from '../../parts/load.js';
import { Note, say } from '../../parts/page.js';
import { t } from '../../texts/gestion.js';
import { html, useRef, useState } from '../../vendor/htm-3.1.1.js';

/** @import { Fault } from '../../api.js' */
/** @import { Counts } from './types.js' */

const MOST = 20; // maximum number of faults shown
const COLUMNS = /** @type {const} */ ({
  nom: 'lastName',
  prenom: 'firstName',
  email: 'email',
  telephone: 'phone',
  note: 'privateNote',
});
/** Maps an error code of the line with the headings to a text. */
const HEADING = /** @type {const} */ ({
  contradiction: 'columnTwice',
  required: 'columnMissing',
  unknown_field: 'unknownColumn',
});
/** Maps an error code of a line with a customer to a text. */
const CELL = /** @type {const} */ ({
  shared_address: 'sharedAddress',
  unknown_field: 'cellWithoutHeading',
});

/**
 * Decodes a file as UTF-16 if the file begins with a byte order mark of UTF-16. Otherwise, decodes
 * the file as UTF-8 or, if the file is not valid UTF-8, as Windows-1252. Excel saves "Unicode text"
 * as UTF-16, and CSV as Windows-1252.
 * @param {File} file
 */
async function textOf(file) {
  const octets = await file.arrayBuffer();
  const [first, second] = new Uint8Array(octets);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(octets);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(octets);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets);
  } catch {
    return new TextDecoder('windows-1252').decode(octets);
  }
}

/** @param {{ path: string, onClose: () => void, onDone: () => void }} props */
export function Import({ path, onClose, onDone }) {
  const [checked, setChecked] = useState(
    /** @type {{ texte: string, counts: Counts } | null} */ (null),
  );
  const [faults, setFaults] = useState(/** @type {string[]} */ ([]));
  const chosen = useRef(/** @type {File | undefined} */ (undefined));
  /** @param {File} file */
  const check = async (file) => {
    setChecked(null);
    setFaults([]);
    const texte = await textOf(file);
    if (texte.includes('\0')) return setFaults([t('notCsv')]); // a workbook or a picture
    try {
      const counts = await post(`${path}/import`, { texte }, { essai: 1 });
      if (file === chosen.current) setChecked({ texte, counts });
    } catch (error) {
      const found = error instanceof Refusal ? sentencesOf(error, headingOf(texte)) : [];
      if (!found.length) throw error;
      setFaults(found);
    }
  };
  const trial = useAction(async () => {
    let file;
    do {
      file = chosen.current;
      if (file) await check(file);
    } while (file !== chosen.current); // another file was chosen during the check
  });
  /** @param {{ target: HTMLInputElement }} event */
  const choose = ({ target }) => {
    if (!target.files?.[0]) return;
    [chosen.current] = target.files;
    trial.run();
  };
  // Empties the field, so that choosing the same file again fires a change event.
  /** @param {{ target: HTMLInputElement }} event */
  const empty = ({ target }) => {
    target.value = '';
  };
  const send = () => post(`${path}/import`, { texte: checked?.texte });
  const useful = checked ? checked.counts.nouveaux + checked.counts.modifies : 0;
  const done = () => {
    onDone();
    // Not the counts of the answer: they are 0 if an earlier attempt has changed the records.
    say(t('imported', { n: useful }));
  };
  const wrong = html`
    <div class="note danger stack tight">
      <p><strong>${t('importFaults', { n: faults.length })}</strong></p>
      <ul>${faults.slice(0, MOST).map((fault) => html`<li>${fault}</li>`)}</ul>
    </div>`;
  const effects = html`
    <${Note} tone="good" icon="check">${t('importWould', { ...checked?.counts })}<//>`;
  const sure = html`
    <${Sure} action=${t('importYes')} send=${send} onDone=${done} onBack=${onClose} />`;
  return html`
    <${Dialog} title=${t('importCustomers')} onClose=${onClose}>
      <p>${t('importHelp')}</p>
      <div class="field">
        <label for="import-file">${t('csvFile')}</label>
        <input id="import-file" type="file" accept=".csv,.txt,text/csv,text/plain" onClick=${empty}
          onChange=${choose} aria-describedby="import-hint" />
        <p class="hint" id="import-hint">${t('csvHint')}</p>
      </div>
      <div role="alert">
        <${Trouble} ...${trial.failed} />
        ${faults.length > 0 && wrong}
      </div>
      <div role="status">${checked && effects}</div>
      ${useful > 0 && sure}
    <//>`;
}

/**
 * Returns the number of the line with the headings: the API skips blank lines above.
 * @param {string} texte
 */
function headingOf(texte) {
  const start = Math.max(0, texte.search(/[^\s,;"]/));
  return texte.slice(0, start).split(/\r\n|\r|\n/).length;
}

/**
 * Returns a sentence for each fault. The API names a fault of the whole file "texte", and a fault
 * in column "email" of line 3 "3.email".
 * @param {Refusal} refusal
 * @param {number} heading the number of the line with the headings
 */
function sentencesOf({ status, body: { champs = {} } }, heading) {
  if (status === 413) return [t('csvTooLarge')];
  const { texte, ...others } = champs;
  const lines = Object.keys(others).filter((name) => /^\d+(\.|$)/.test(name));
  lines.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return [
    ...(texte ? [ofFile(texte)] : []),
    ...lines.map((name) => ofLine(name, others[name], heading)),
  ];
}

/** @param {Fault} fault */
const ofFile = ({ code, ...bounds }) =>
  code === 'blank' ? t('csvEmpty') : fieldText(code, bounds);

/** @param {string} name @param {Fault} fault @param {number} heading */
function ofLine(name, { code, ...bounds }, heading) {
  const [n] = name.split('.', 1);
  const column = name.slice(n.length + 1);
  const title = COLUMNS[/** @type {keyof typeof COLUMNS} */ (column)];
  const isHeading = Number(n) === heading;
  const line = t('line', { n });
  const label = title && !isHeading ? `${line}, ${t(title).toLowerCase()}` : line;
  const texts = isHeading ? HEADING : CELL;
  const own = texts[/** @type {keyof typeof texts} */ (code)];
  const text = own ? t(own, { column, ...bounds }) : fieldText(code, bounds);
  return t('labelled', { label, text });
}
