// The entry of the words page.

import { Store } from '../shared/base/store.ts';
import { mountMenuFolds } from '../shared/dom/menu-fold.ts';
import { receiveHanded } from '../shared/handover/receive-handed.ts';
import { mountPage, type Receive } from '../shared/page/mount-page.ts';
import { watchTexts } from '../shared/page/visible-texts.ts';
import { forgetContact } from '../shared/page-address/open-linked.ts';
import { mountPageAddress } from '../shared/page-address/page-address.ts';
import { readLink } from '../shared/page-address/parameters.ts';
import { mountSamples } from '../shared/samples/samples-view.ts';
import { allForms, mountSharedPart } from '../shared/share/share-view.ts';
import { runtimeFor } from '../shared/site/runtime.ts';
import { mountAccuracyView } from './accuracy-view.ts';
import { mountAnalogyView } from './analogy-view.ts';
import { mountFilePanel } from './file-panel.ts';
import { mountLookupView } from './lookup-view.ts';
import { WordsSession } from './session/session.ts';
import { emptyState } from './session/state.ts';
import { linkOf, wordsParameters } from './session/words-link.ts';
import { mountUnreadView } from './unread-view.ts';

const store = new Store(emptyState);
const session = new WordsSession(store, runtimeFor(location.search));

const receive: Receive = (given) => session.receive(given);

mountMenuFolds();
watchTexts('names');
mountPage(store, receive);
mountFilePanel(store, session);
const show = mountLookupView(store, session);
mountAnalogyView(store, session, show);
mountUnreadView(store, session);
mountAccuracyView(store, session);
mountSamples(['wordsAsText'], receive);
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
const shareCode = () => import('./share-words.ts');
const formsOf = (hits: readonly unknown[] = []) => (hits.length > 0 ? allForms : []);
mountSharedPart(store, {
  host: 'lookup-share',
  load: async () => (await shareCode()).shareLookup(store, address),
  forms: ({ lookup }) => formsOf(lookup?.hits),
  fields: ['lookup'],
});
mountSharedPart(store, {
  host: 'analogy-share',
  load: async () => (await shareCode()).shareAnalogy(store, address),
  forms: ({ analogy }) => formsOf(analogy?.hits),
  fields: ['analogy'],
});
void receiveHanded(store, receive);
