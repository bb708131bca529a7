// The field for the system prompt.

import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import type { PageSession } from '../session/session.ts';
import type { ChatState } from '../state/state.ts';

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
