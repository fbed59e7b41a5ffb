// Turns a customer into an owner.
import { post, session, updateSession } from '../../api.js';

/** Turns a customer's account into an owner's account. Does nothing for other accounts. */
export async function becomeOwner() {
  if (session.get()?.user.role !== 'student') return;
  const { token } = await post('api/compte/entreprise');
  updateSession({ token, user: { role: 'company' } });
}
