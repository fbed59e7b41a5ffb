// Page /nous-ecrire: sends a message to the operator of the site.
import { post, session } from '../api.js';
import { Field, Form, useForm } from '../parts/form.js';
import { Note, Page } from '../parts/page.js';
import { t } from '../texts/account.js';
import { html, useState } from '../vendor/htm-3.1.1.js';

export default function View() {
  const user = session.get()?.user;
  const [sentTo, setSentTo] = useState('');
  const name = user ? `${user.first_name} ${user.last_name}`.trim() : '';
  const empty = { name, email: user?.email ?? '', phone: '', message: '' };
  const form = useForm(empty, (values) => post('contact', values), {
    onDone: (_, { email }) => setSentTo(email),
  });
  if (sentTo) {
    return html`
      <${Page} key="sent" title=${t('sentTitle')} size="narrow">
        <${Note} tone="good" icon="check" role="status">${t('sentHelp', { email: sentTo })}<//>
      <//>`;
  }
  return html`
    <${Page} key="form" title=${t('navContact')} lead=${t('contactLead')} size="narrow">
      <div class="card">
        <${Form} form=${form} action=${t('send')}>
          <${Field} name="name" label=${t('yourName')} autocomplete="name" />
          <${Field} name="email" type="email" label=${t('email')} autocomplete="email" />
          <${Field} name="phone" type="tel" label=${t('phone')} required=${false}
            autocomplete="tel" />
          <${Field} name="message" label=${t('message')} as="textarea" rows="6" />
        <//>
      </div>
    <//>`;
}
