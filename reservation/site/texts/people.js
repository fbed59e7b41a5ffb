// Texts about who performs a service, for customers and owners.

/** @satisfies {import('../texts.js').Texts} */
export const people = {
  choosePerson: ['2. Avec qui ?', '2. Choose who you see'],
  chooseTimeThird: ['3. Choisissez un horaire', '3. Choose a time'],
  whoLabel: ['Avec qui', 'With'],
  withName: ['avec {name}', 'with {name}'],
  noPreference: ['Sans préférence', 'No preference'],
  noPreferenceHelp: ['Le plus grand choix d’horaires.', 'The widest choice of times.'],
  timeWith: ['{label}, avec {name}', '{label}, with {name}'],
};
