// The entry of the convert page.

import { byId, onFilesChosen } from '../shared/dom.ts';
import { mountDropZone } from '../shared/drop-zone.ts';
import { pickedFiles } from '../shared/given-files.ts';
import { runtimeFor } from '../shared/runtime.ts';
import { Store } from '../shared/store.ts';
import { mountWorkView } from '../shared/work-view.ts';
import { mountOutcomeView } from './outcome-view.ts';
import { ConvertSession } from './session.ts';
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
for (const id of ['files', 'folder']) {
  onFilesChosen(byId(id, HTMLInputElement), (files) => void session.receive(pickedFiles(files)));
}
store.watch(['notice'], ({ notice }) => {
  status.textContent = notice;
});
