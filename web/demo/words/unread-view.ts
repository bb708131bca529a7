// Says that nearest words need more of a large file than the page has read, and reads it when it is told to.

import { formatBytes } from '../shared/base/format.ts';
import type { Store } from '../shared/base/store.ts';
import { button, byId } from '../shared/dom/dom.ts';
import type { WordsSession } from './session/session.ts';
import type { WordsState } from './session/state.ts';

export function mountUnreadView(store: Store<WordsState>, session: WordsSession): void {
  const line = byId('unread', HTMLElement);
  store.watch(['loaded'], ({ loaded }) => {
    const unread = loaded?.unread ?? 0;
    const hadFocus = line.contains(document.activeElement);
    line.hidden = unread === 0;
    line.replaceChildren();
    if (unread > 0) {
      const bytes = formatBytes(unread);
      line.append(
        `This file was opened in parts. Nearest words and analogies need all of its vectors, ${bytes}. `,
        button(`Read ${bytes}`, '', () => void session.readAll()),
      );
    } else if (hadFocus) {
      byId('word', HTMLInputElement).focus();
    }
  });
}
