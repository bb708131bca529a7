// The buttons that share what the model wrote.

import type { Store } from '../shared/base/store.ts';
import { byId } from '../shared/dom/dom.ts';
import type { Address } from '../shared/page-address/page-address.ts';
import { mountShare } from '../shared/share/share-view.ts';
import type { ChatLink } from './session/chat-link.ts';
import type { ChatState } from './state/state.ts';

export function mountShareButtons(
  store: Store<ChatState>,
  address: Address,
  shown: () => ChatLink,
): void {
  const host = byId('share', HTMLElement);
  const update = mountShare(host, {
    load: async () => (await import('./share-text.ts')).shareText(store, address, shown),
    forms: () => (store.state.mode === 'chat' ? ['Markdown', 'JSON'] : []),
    hasSnippets: true,
    fullLink: {
      name: 'link to this conversation',
      isOffered: () => store.state.mode === 'chat',
    },
    notify: (notice) => store.update({ notice }),
  });
  store.watch(['turns', 'stop', 'mode'], ({ turns, stop }) => {
    host.hidden = turns.length === 0 || stop !== null;
    if (stop === null) {
      update();
    }
  });
}
