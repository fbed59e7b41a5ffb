// Texts of what a business offers: its services, photos and free days.

/** @satisfies {import('../texts.js').Texts} */
export const offered = {
  otherServices: ['Autres prestations', 'Other services'],
  findService: ['Chercher une prestation', 'Find a service'],
  servicesFound: [
    '{n} prestation trouvée|{n} prestations trouvées',
    '{n} service found|{n} services found',
  ],
  moreServices: [
    'Afficher {n} prestation de plus|Afficher {n} prestations de plus',
    'Show {n} more service|Show {n} more services',
  ],
};
