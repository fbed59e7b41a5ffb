// The states of a booking, as in reservation/domain/states.py.

/** Bookings in these states can be moved to another time. @type {Set<string>} */
export const OPEN = new Set(['demandee', 'confirmee']);

/** Bookings in these states hold no places. @type {Set<string>} */
export const RELEASED = new Set(['refusee', 'annulee']);
