// The entry of the check page.

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
import { mountArchitecture } from './architecture/architecture-view.ts';
import { mountFactsView } from './facts-view.ts';
import { mountFileList } from './file-list.ts';
import { mountMapView } from './map/map-view.ts';
import { mountProblemList } from './problem-list.ts';
import { mountRunView } from './run-view.ts';
import { checkParameters, linkOf } from './session/check-link.ts';
import { CheckSession } from './session/session.ts';
import { emptyState, selectedFile } from './session/state.ts';
import { mountShareButtons } from './share-buttons.ts';
import { mountTensorTable } from './tensors/tensor-table.ts';
import { mountTokenizerView } from './tokenizer-view.ts';
import { mountVerdict } from './verdict-view.ts';

const store = new Store(emptyState);
const runtime = runtimeFor(location.search);
const session = new CheckSession(store, runtime);
const status = byId('status', HTMLElement);

mountFileList(store, session);
mountWorkView(store);
mountVerdict(store, session);
mountRunView(store);
mountProblemList(store);
mountArchitecture(store, session);
mountMapView(store, session);
mountFactsView(store);
mountTokenizerView(store, runtime);
mountTensorTable(store, session);
mountDropZone((given) => void session.receive(given));
mountSamples(['encoder', 'words', 'gguf', 'damaged', 'cutOff'], (given) => session.receive(given));
onFilesChosen(byId('files', HTMLInputElement), (files) => {
  void session.receive(pickedFiles(files));
});
byId('url-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  void session.openUrl(byId('url', HTMLInputElement).value);
});
store.watch(['notice'], ({ notice }) => {
  status.textContent = notice;
});
const address = mountPageAddress({
  parameters: checkParameters,
  current: () => linkOf(store.state),
  follow: (link) => session.follow(link),
  titleOf: () => selectedFile(store.state)?.name ?? '',
});
mountShareButtons(store, address);
void session.follow(readLink(location.search, checkParameters));
store.watch(['selected'], ({ selected }) => {
  if (selected !== null) {
    address.choose();
  }
});
void receiveHanded(store, (given) => session.receive(given));
