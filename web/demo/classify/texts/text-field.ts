// The field for a text, with examples below it. What is typed is asked about after a short pause.

import { debounced } from '../../shared/base/debounce.ts';
import type { Store } from '../../shared/base/store.ts';
import { button, byId } from '../../shared/dom/dom.ts';
import type { ClassifyState } from '../state/state.ts';
import type { TextTask } from '../state/task.ts';
import type { TextSession } from './text-session.ts';

const pauseMs = 120;

/** The elements are `<task>-field` and `<task>-examples`. The examples are for the built-in model. */
export function mountTextField(
  store: Store<ClassifyState>,
  session: TextSession,
  task: TextTask,
  examples: readonly string[],
): void {
  const field = byId(`${task}-field`, HTMLTextAreaElement);
  const chips = byId(`${task}-examples`, HTMLElement);
  const asking = debounced(pauseMs, () => session.ask(task));
  field.addEventListener('input', () => {
    session.type(task, field.value);
    asking.request(undefined);
  });
  chips.append(...examples.map((text) => button(text, '', () => void session.setText(task, text))));
  store.watch([task], (state) => {
    const { typed, loaded } = state[task];
    if (field.value !== typed) {
      field.value = typed;
    }
    chips.hidden = loaded !== null && !loaded.builtIn;
  });
}
