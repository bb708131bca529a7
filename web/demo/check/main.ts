// The entry of the check page.

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
import { mountArchitecture } from './architecture/architecture-view.ts';
import { mountFactsView } from './facts-view.ts';
import { mountFileList } from './file-list.ts';
import { mountGraph } from './graph/mount-graph.ts';
import { mountMapView } from './map/map-view.ts';
import { mountProblemList } from './problem-list.ts';
import { mountRunView } from './run-view.ts';
import { checkParameters, linkOf } from './session/check-link.ts';
import { CheckSession } from './session/session.ts';
import { type CheckedFile, emptyState, selectedFile, verdictOf } from './session/state.ts';
import { mountTensorTable } from './tensors/tensor-table.ts';
import { mountTokenizerView } from './tokenizer-view.ts';
import { mountVerdict } from './verdict-view.ts';

/** Tensors and problems have tables. */
function formsOf(file: CheckedFile | null): readonly Form[] {
  if (file === null || (file.report === null && file.run === null)) {
    return [];
  }
  const { errors = [], warnings = [] } = file.report ?? {};
  const rows = (file.inspection?.tensors.length ?? 0) + errors.length + warnings.length;
  return rows > 0 ? allForms : ['JSON'];
}

/** Nobody builds on a damaged file. */
const isDamaged = (file: CheckedFile | null): boolean =>
  file !== null && ['invalid', 'cutOff', 'unreadable'].includes(verdictOf(file));

const store = new Store(emptyState);
const runtime = runtimeFor(location.search);
const session = new CheckSession(store, runtime);

const receive: Receive = (given) => session.receive(given);

mountFileList(store, session);
watchTexts('names');
mountPage(store, receive);
mountVerdict(store, session);
mountRunView(store);
mountProblemList(store);
mountArchitecture(store, session);
mountGraph(store, session);
mountMapView(store, session);
mountFactsView(store);
mountTokenizerView(store, runtime);
mountTensorTable(store, session);
mountSamples(['encoder', 'words', 'gguf', 'tagger', 'damaged', 'cutOff'], receive);
mountOpenFile(session, ['files', 'folder']);
const address = mountPageAddress({
  parameters: checkParameters,
  current: () => linkOf(store.state),
  follow: (link) => session.follow(link),
  titleOf: () => selectedFile(store.state)?.name ?? '',
});
mountSharedPart(store, {
  load: async () => (await import('./share-report.ts')).shareReport(store, address),
  forms: (state) => formsOf(selectedFile(state)),
  fields: ['files', 'selected'],
  offered: (state) => !isDamaged(selectedFile(state)),
});
void session.follow(readLink(location.search, checkParameters));
store.watch(['selected'], ({ selected }) => {
  if (selected !== null) {
    address.choose();
  }
});
void receiveHanded(store, receive);
