// The entry of the words page.

import { Store } from '../shared/base/store.ts';
import { byId } from '../shared/dom/dom.ts';
import { mountDropZone } from '../shared/files/drop-zone.ts';
import { receiveHanded } from '../shared/handover/receive-handed.ts';
import { mountWorkView } from '../shared/jobs/work-view.ts';
import { forgetContact } from '../shared/page-address/open-linked.ts';
import { mountPageAddress } from '../shared/page-address/page-address.ts';
import { readLink } from '../shared/page-address/parameters.ts';
import { mountSamples } from '../shared/samples/samples-view.ts';
import { runtimeFor } from '../shared/site/runtime.ts';
import { mountAccuracyView } from './accuracy-view.ts';
import { mountAnalogyView } from './analogy-view.ts';
import { mountFilePanel } from './file-panel.ts';
import { mountLookupView } from './lookup-view.ts';
import { WordsSession } from './session/session.ts';
import { emptyState } from './session/state.ts';
import { linkOf, wordsParameters } from './session/words-link.ts';
import { mountShareButtons } from './share-buttons.ts';
import { mountUnreadView } from './unread-view.ts';

const store = new Store(emptyState);
const session = new WordsSession(store, runtimeFor(location.search));
const status = byId('status', HTMLElement);

mountWorkView(store);
mountFilePanel(store, session);
const show = mountLookupView(store, session);
mountAnalogyView(store, session, show);
mountUnreadView(store, session);
mountAccuracyView(store, session);
mountDropZone((given) => void session.receive(given));
mountSamples(['wordsAsText'], (given) => session.receive(given));
store.watch(['notice'], ({ notice }) => {
  status.textContent = notice;
});
const linked = readLink(location.search, wordsParameters);
void session.start(linked);
const address = mountPageAddress({
  parameters: wordsParameters,
  current: () => linkOf(store.state, linked),
  follow: (link) => session.follow(link),
  titleOf: ({ word }) => (word === wordsParameters.word.absent ? '' : word),
});
store.watch(['word', 'question', 'settings', 'loaded'], ({ loaded }) => {
  address.choose();
  if (loaded !== null) {
    forgetContact(loaded.source);
  }
});
mountShareButtons(store, address);
void receiveHanded(store, (given) => session.receive(given));
