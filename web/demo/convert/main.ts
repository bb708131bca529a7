// The entry of the convert page.

import { Store } from '../shared/base/store.ts';
import { byId, onFilesChosen } from '../shared/dom/dom.ts';
import { mountDropZone } from '../shared/files/drop-zone.ts';
import { pickedFiles } from '../shared/files/given-files.ts';
import { receiveHanded } from '../shared/handover/receive-handed.ts';
import { mountWorkView } from '../shared/jobs/work-view.ts';
import { mountPageAddress } from '../shared/page-address/page-address.ts';
import { readLink } from '../shared/page-address/parameters.ts';
import { mountSamples } from '../shared/samples/samples-view.ts';
import { runtimeFor } from '../shared/site/runtime.ts';
import { convertParameters, linkOf } from './convert-link.ts';
import { mountOutcomeView } from './outcome-view.ts';
import { ConvertSession } from './session.ts';
import { mountShareButtons } from './share-buttons.ts';
import { mountSourceView } from './source-view.ts';
import { emptyState } from './state.ts';
import { mountTargetView } from './target-view.ts';

const store = new Store(emptyState);
const session = new ConvertSession(store, runtimeFor(location.search));
const status = byId('status', HTMLElement);

mountWorkView(store);
mountSourceView(store);
mountTargetView(store, session);
mountOutcomeView(store, session);
mountDropZone((given) => void session.receive(given));
mountSamples(['gguf', 'wordsAsText', 'words', 'encoder', 'network'], (given) =>
  session.receive(given),
);
for (const id of ['files', 'folder']) {
  onFilesChosen(byId(id, HTMLInputElement), (files) => void session.receive(pickedFiles(files)));
}
byId('url-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  void session.openUrl(byId('url', HTMLInputElement).value);
});
store.watch(['notice'], ({ notice }) => {
  status.textContent = notice;
});
const address = mountPageAddress({
  parameters: convertParameters,
  current: () => linkOf(store.state),
  follow: (link) => session.follow(link),
  titleOf: () => store.state.source?.name ?? '',
});
mountShareButtons(store, address);
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
void receiveHanded(store, (given) => session.receive(given));
