// The box in which the user gives the form of the answer. What is wrong with it is shown at its field.

import type { Store } from '../../shared/base/store.ts';
import { byId, element } from '../../shared/dom/dom.ts';
import type { PageSession } from '../session/session.ts';
import { FormError, type FormKind, formatOf, forms, textOfForm } from '../state/answer-form.ts';
import type { ChatState } from '../state/state.ts';

function checked(state: ChatState): string {
  try {
    formatOf(state.form);
    return '';
  } catch (error) {
    return error instanceof FormError ? error.message : String(error);
  }
}

export function mountFormView(store: Store<ChatState>, session: PageSession): void {
  const kind = byId('form-kind', HTMLSelectElement);
  const box = byId('form-box', HTMLElement);
  const label = byId('form-label', HTMLLabelElement);
  const field = byId('form-text', HTMLTextAreaElement);
  const problem = byId('form-problem', HTMLElement);

  const kinds = Object.entries(forms).map(([value, { name }]) => {
    const option = element('option', '', name);
    option.value = value;
    return option;
  });
  kind.replaceChildren(...kinds);
  kind.addEventListener('change', () =>
    session.setForm({ ...store.state.form, kind: kind.value as FormKind }),
  );
  field.addEventListener('input', () => {
    const { form } = store.state;
    session.setForm({ ...form, texts: { ...form.texts, [form.kind]: field.value } });
  });
  field.addEventListener('change', () => store.update({ formProblem: checked(store.state) }));
  store.watch(['form'], ({ form }) => {
    kind.value = form.kind;
    box.hidden = form.kind === 'free';
    label.textContent = forms[form.kind].field;
    const text = textOfForm(form);
    // Writing the same text again would move the cursor.
    if (field.value !== text) {
      field.value = text;
    }
  });
  store.watch(['formProblem'], ({ formProblem }) => {
    problem.textContent = formProblem;
    field.setAttribute('aria-invalid', String(formProblem !== ''));
  });
}
