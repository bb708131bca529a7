// Keeps the address of the page equal to the text that the model wrote.

import type { Store } from '../shared/base/store.ts';
import { forgetContact } from '../shared/page-address/open-linked.ts';
import { type Address, mountPageAddress } from '../shared/page-address/page-address.ts';
import { type ChatLink, chatParameters, linkOf, packedIn } from './session/chat-link.ts';
import type { PageSession } from './session/session.ts';
import { mountShareButtons } from './share-buttons.ts';
import type { ChatState } from './state/state.ts';

/** Call it when the page shows what its address says. `fill` puts the beginning of a text into the field. */
export function mountChatAddress(
  store: Store<ChatState>,
  session: PageSession,
  linked: ChatLink,
  fill: (text: string) => void,
): Address {
  // With the settings that wrote the text. Those that are changed later belong to the next text.
  let shown = linked;
  let isMounted = false;
  const address = mountPageAddress<ChatLink>({
    parameters: chatParameters,
    current: () => shown,
    async follow(link) {
      const packed = packedIn(location.hash);
      await (packed === null ? session.follow(link) : session.showPacked(packed));
      fill(link.prompt);
      shown = link;
    },
    titleOf: ({ prompt }) => prompt,
  });
  store.watch(['stop', 'mode', 'loaded', 'turns'], (state) => {
    const { stop, mode, loaded, turns } = state;
    if (!isMounted) {
      return;
    }
    // A conversation that goes on is another one than the link's.
    if (packedIn(location.hash) !== null && turns !== state.linkedTurns) {
      history.replaceState(null, '', location.pathname + location.search);
    }
    if (mode === 'chat' || turns.length === 0 || (stop !== null && turns.length === 1)) {
      shown = linkOf(state, linked.url);
      address.choose();
    }
    if (loaded !== null) {
      forgetContact(loaded.source);
    }
  });
  isMounted = true;
  mountShareButtons(store, address, () => shown);
  return address;
}
