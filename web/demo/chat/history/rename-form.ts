// The field in which a conversation gets another title. It stands in place of the conversation in the list.

import { button, element } from '../../shared/dom/dom.ts';

export function renameForm(
  title: string,
  { rename, close }: { rename: (title: string) => void; close: () => void },
): HTMLFormElement {
  const field = element('input');
  field.type = 'text';
  field.value = title;
  field.required = true;
  field.maxLength = 200;
  field.setAttribute('aria-label', 'New title');
  const save = element('button', 'quiet', 'Save');
  const form = element('form', 'rename', field, save, button('Cancel', 'quiet', close));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    close();
    rename(field.value.trim() || title);
  });
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') {
      close();
    }
  });
  return form;
}
