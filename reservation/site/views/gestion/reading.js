// What the owner's views read, and what they know of time in the business's zone.
import { get, page } from '../../api.js';
import { clockIn, plusDays, today } from '../../dates.js';
import { language } from '../../texts.js';

/** All pages of a list. */
export async function all(path, query) {
  const items = [];
  for (let next = { limite: 200, ...query }; next;) {
    const read = await page(path, next);
    items.push(...read.items);
    next = read.next;
  }
  return items;
}

/** Minutes since midnight of "09:30". */
export function minuteOf(time) {
  const [hours, minutes] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** 570 as "09:30". */
export const clock = (minute) => [Math.floor(minute / 60), minute % 60].map((n) => String(n).padStart(2, '0')).join(':');

/** The instant at which a zone's clock shows '2030-01-31T09:30'. */
export function instantAt(zone, wall) {
  const wanted = Date.parse(`${wall}Z`);
  let moment = wanted;
  for (let turn = 0; turn < 2; turn += 1) moment += wanted - Date.parse(`${clockIn(zone, moment)}Z`);
  return new Date(moment).toISOString().replace('.000', '');
}

/** All that a calendar shows of these days. */
export async function readCalendar(entreprise, first, last) {
  const path = `api/entreprises/${entreprise.id}`;
  const days = { du: first, au: last };
  const of = { entreprise: entreprise.id };
  const [creneaux, visits, events, asked] = await Promise.all([
    get(`${path}/creneaux`, { ...days, tous: 1 }),
    all('api/reservations', { ...of, ...days }),
    all(`${path}/evenements`, days),
    all('api/reservations', { ...of, statut: 'demandee', du: today(entreprise.fuseau) }),
  ]);
  return { first, last, creneaux, visits, events, asked: asked.filter((one) => Date.parse(one.fin) > Date.now()) };
}

export const daysOf = (first, last) => {
  const days = [];
  for (let day = first; day <= last; day = plusDays(day, 1)) days.push(day);
  return days;
};

/** How a customer is called. */
export const nameOf = ({ prenom, nom, email }) => [prenom, nom].filter(Boolean).join(' ') || email;

/** A part of a whole, as people write it: "16 %". */
export const percent = (part, whole = 1) => new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 0 }).format(whole ? part / whole : 0);
