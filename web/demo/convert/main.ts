// The entry of the convert page.

import { Store } from '../shared/base/store.ts';
import { mountOpenFile } from '../shared/files/open-file.ts';
import { receiveHanded } from '../shared/handover/receive-handed.ts';
import { mountPage, type Receive } from '../shared/page/mount-page.ts';
import { watchTexts } from '../shared/page/visible-texts.ts';
import { mountPageAddress } from '../shared/page-address/page-address.ts';
import { readLink } from '../shared/page-address/parameters.ts';
import { mountSamples } from '../shared/samples/samples-view.ts';
import type { Form } from '../shared/share/share-texts.ts';
import { allForms, mountSharedPart } from '../shared/share/share-view.ts';
import { runtimeFor } from '../shared/site/runtime.ts';
import { convertParameters, linkOf } from './convert-link.ts';
import { mountOutcomeView } from './outcome-view.ts';
import { ConvertSession } from './session.ts';
import { mountSourceView } from './source-view.ts';
import { type ConvertState, emptyState } from './state.ts';
import { mountTargetView } from './target-view.ts';

/** A report without tensors has no table. */
function formsOf({ outcome }: ConvertState): readonly Form[] {
  if (outcome === null) {
    return [];
  }
  return (outcome.report?.tensors.length ?? 0) > 0 ? allForms : ['JSON'];
}

const store = new Store(emptyState);
const session = new ConvertSession(store, runtimeFor(location.search));

const receive: Receive = (given) => session.receive(given);

watchTexts('names');
mountPage(store, receive);
mountSourceView(store, session);
mountTargetView(store, session);
mountOutcomeView(store, session);
mountSamples(['gguf', 'wordsAsText', 'words', 'encoder', 'network'], receive);
mountOpenFile(session, ['files', 'folder']);
const address = mountPageAddress({
  parameters: convertParameters,
  current: () => linkOf(store.state),
  follow: (link) => session.follow(link),
  titleOf: () => store.state.source?.name ?? '',
});
mountSharedPart(store, {
  load: async () => (await import('./share-outcome.ts')).shareOutcome(store, address),
  forms: formsOf,
  fields: ['outcome'],
});
void session.follow(readLink(location.search, convertParameters));
let shown = store.state.source?.files;
store.watch(['source', 'settings'], ({ source }) => {
  if (source?.files !== shown) {
    address.choose();
  } else {
    address.refine();
  }
  shown = source?.files;
});
void receiveHanded(store, receive);
