// The entry of the search page.

import { mountDropZone } from '../shared/files/drop-zone.ts';
import { receiveHanded } from '../shared/handover/receive-handed.ts';
import { runtimeFor } from '../shared/runtime.ts';
import { Store } from '../shared/store.ts';
import { mountTabLine } from '../shared/tabs/tab-line.ts';
import { mountWorkView } from '../shared/work-view.ts';
import { mountDocumentsPanel } from './documents/documents-panel.ts';
import { mountIndexPanel } from './indexing/index-panel.ts';
import { mountModelPanel } from './model/model-panel.ts';
import { mountSearchView } from './search-view.ts';
import { Session } from './session.ts';
import { emptyState } from './state.ts';

const store = new Store(emptyState);
const session = new Session(store, runtimeFor(location.search));

mountSearchView(store, session);
mountWorkView(store);
mountTabLine(
  store,
  'Another tab has this page open and saves its documents. What you add here is lost when you close or reload this tab, unless you close the other tab first.',
);
mountModelPanel(store, session);
mountDocumentsPanel(store, session);
mountIndexPanel(store, session);
mountDropZone((given) => void session.run((actions) => actions.receive(given)));
await session.start(new URLSearchParams(location.search).get('url') ?? '');
await receiveHanded(store, (given) => session.run((actions) => actions.receive(given)));
