// The search page, put together.

import { byId } from '../shared/dom.ts';
import { mountDropZone } from '../shared/drop-zone.ts';
import { renderFailure } from '../shared/failure-view.ts';
import { mountJobView } from '../shared/job-view.ts';
import { runtimeFor } from '../shared/runtime.ts';
import { Store } from '../shared/store.ts';
import { mountDocumentsPanel } from './documents-panel.ts';
import { mountIndexPanel } from './index-panel.ts';
import { mountModelPanel } from './model-panel.ts';
import { mountSearchView } from './search-view.ts';
import { Session } from './session.ts';
import { emptyState } from './state.ts';

const store = new Store(emptyState);
const session = new Session(store, runtimeFor(location.search));
const problem = byId('problem', HTMLElement);

mountSearchView(store, session);
mountJobView(store);
mountModelPanel(store, session);
mountDocumentsPanel(store, session);
mountIndexPanel(store, session);
mountDropZone((haul) => void session.receive(haul));
store.watch(['failure'], ({ failure }) => {
  renderFailure(problem, failure, () => store.update({ failure: null }));
});
void session.openBuiltIn();
