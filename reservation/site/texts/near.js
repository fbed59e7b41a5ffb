// Texts of a search without results.
import { common, translator } from '../texts.js';

/** @satisfies {import('../texts.js').Texts} */
const near = {
  inCity: ['à {city}', 'in {city}'],
  inCode: ['dans le {city}', 'in {city}'],
  nobodyThatDay: [
    'Aucun établissement disponible ce jour-là.',
    'No business is available that day.',
  ],
  nobody: [
    'Aucun établissement trouvé. Essayez une autre prestation ou une ville voisine.',
    'No businesses found. Try another service or a city nearby.',
  ],
  seeAll: ['Voir tous les établissements', 'See all businesses'],
  nearOtherDay: [
    'Aucun horaire disponible ce jour-là. Un autre jour :',
    'No times available that day. On another day:',
  ],
  nearElsewhere: [
    'Aucun résultat pour « {what} » {inCity}. Dans d’autres villes :',
    'No results for “{what}” {inCity}. In other cities:',
  ],
  nearWord: [
    'Aucun résultat pour « {all} ». Pour « {what} » seulement :',
    'No results for “{all}”. For “{what}” only:',
  ],
  nearCity: [
    'Aucun résultat pour « {what} » {inCity}. Autres établissements {inCity} :',
    'No results for “{what}” {inCity}. Other businesses {inCity}:',
  ],
};

export const t = translator({ ...common, ...near });
