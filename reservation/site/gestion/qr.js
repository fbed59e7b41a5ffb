// The QR code of an address, with a download for printing.
import { save } from '../parts/download.js';
import { Button } from '../parts/page.js';
import { t } from '../texts/gestion.js';
import { html } from '../vendor/htm-3.1.1.js';
import { encode } from '../vendor/uqr-0.1.3.js';

const PIXELS = 24; // px: the width of one square of the code. A print 10 cm wide is then sharp.

/** @param {{ text: string, name: string }} props */
export function QrCode({ text, name }) {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [[x, y]] : [])));
  const download = () => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size * PIXELS;
    const context = canvas.getContext('2d');
    if (!context) return;
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#000000';
    for (const [x, y] of dark) context.fillRect(x * PIXELS, y * PIXELS, PIXELS, PIXELS);
    canvas.toBlob((blob) => blob && save(blob, `${name}.png`));
  };
  return html`
    <figure class="qr">
      <svg viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${t('qrCode')}
        shape-rendering="crispEdges">
        <rect width=${size} height=${size} fill="#ffffff" />
        <path d=${dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('')} fill="#000000" />
      </svg>
      <figcaption class="stack tight">
        <p class="muted">${t('qrCodeHelp')}</p>
        <div><${Button} icon="download" onClick=${download}>${t('downloadQrCode')}<//></div>
      </figcaption>
    </figure>`;
}
