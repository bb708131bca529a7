// What the model does, and how its answers are shown.

import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import type { PageSession } from '../session/session.ts';
import type { ChatState, Mode, View } from '../state/state.ts';

const radios = (name: string): readonly HTMLInputElement[] => [
  ...document.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`),
];

export function mountModeView(store: Store<ChatState>, session: PageSession): void {
  const modes = radios('mode');
  const views = radios('view');
  for (const choice of modes) {
    choice.addEventListener('change', () => session.setMode(choice.value as Mode));
  }
  for (const choice of views) {
    choice.addEventListener('change', () => session.setView(choice.value as View));
  }
  store.watch(['mode', 'loaded'], ({ mode, loaded }) => {
    byId('views', HTMLElement).hidden = mode === 'text';
    for (const choice of modes) {
      choice.checked = choice.value === mode;
      choice.disabled =
        choice.value === 'chat' && mode === 'text' && loaded?.generator.chatTemplate === null;
      const why = choice.disabled ? 'This model has no chat template.' : '';
      choice.parentElement?.setAttribute('title', why);
    }
  });
  store.watch(['view', 'mode'], ({ view, mode }) => {
    document.body.dataset['view'] = mode === 'text' ? 'tokens' : view;
    for (const choice of views) {
      choice.checked = choice.value === view;
    }
  });
}
