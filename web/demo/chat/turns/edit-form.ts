// The field in which a sent message is changed. It stands in place of the message.

import { button, element } from '../../shared/dom/dom.ts';

let forms = 0;

export function editForm(
  text: string,
  { send, cancel }: { send: (text: string) => void; cancel: () => void },
): HTMLFormElement {
  forms += 1;
  const field = element('textarea');
  field.id = `edited-message-${forms}`;
  field.value = text;
  field.rows = Math.min(8, text.split('\n').length + 1);
  field.required = true;
  field.dir = 'auto';
  const label = element('label', '', 'Your message, changed. What follows it is replaced.');
  label.htmlFor = field.id;
  const submit = element('button', 'primary', 'Send again');
  const actions = element('div', 'actions', submit, button('Cancel', '', cancel));
  const form = element('form', 'edit-form', label, field, actions);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(field.value);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      cancel();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  return form;
}
