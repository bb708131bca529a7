// The field for the system prompt.

import { byId } from '../shared/dom.ts';
import type { Store } from '../shared/store.ts';
import type { PageSession } from './session.ts';
import type { ChatState } from './state.ts';

export function mountSystemView(store: Store<ChatState>, session: PageSession): void {
  const fold = byId('system-fold', HTMLDetailsElement);
  const field = byId('system', HTMLTextAreaElement);
  field.addEventListener('change', () => session.setSystem(field.value));
  store.watch(['mode'], ({ mode }) => {
    fold.hidden = mode === 'text';
  });
  store.watch(['system'], ({ system }) => {
    field.value = system;
    fold.open = fold.open || system !== '';
  });
}
