// /nous-ecrire: a message to who runs the service.
import { html, useState } from '../vendor/htm-3.1.1.js';
import { post, session } from '../api.js';
import { Field, Form, useForm } from '../parts/form.js';
import { Icon, Page } from '../parts/page.js';
import { t } from '../texts.js';
import '../parts/signin.js'; // its texts
import '../texts/account.js';

export default function View() {
  const user = session()?.user;
  const [sent, tell] = useState('');
  const known = user ? { name: `${user.first_name} ${user.last_name}`.trim(), email: user.email } : { name: '', email: '' };
  const form = useForm({ ...known, phone: '', message: '' }, (values) => post('contact', values), {
    onDone: () => tell(form.values.email),
  });
  if (sent) {
    return html`
      <${Page} key="sent" title=${t('sentTitle')} size="narrow">
        <div class="note good" role="status"><${Icon} name="check" /><p>${t('sentHelp', { email: sent })}</p></div>
      <//>`;
  }
  return html`
    <${Page} key="form" title=${t('contactTitle')} lead=${t('contactLead')} size="narrow">
      <div class="card">
        <${Form} of=${form} action=${t('send')}>
          <${Field} of=${form} name="name" label=${t('yourName')} autocomplete="name" />
          <${Field} of=${form} name="email" type="email" label=${t('email')} autocomplete="email" />
          <${Field} of=${form} name="phone" type="tel" label=${t('phone')} required=${false} autocomplete="tel" />
          <${Field} of=${form} name="message" label=${t('message')} as="textarea" rows="6" />
        <//>
      </div>
    <//>`;
}
