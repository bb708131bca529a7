// The entry of the chat page.

import { byId } from '../shared/dom.ts';
import { mountDropZone } from '../shared/drop-zone.ts';
import { runtimeFor } from '../shared/runtime.ts';
import { Store } from '../shared/store.ts';
import { mountWorkView } from '../shared/work-view.ts';
import { mountDraftView } from './draft-view.ts';
import { mountModelPanel } from './model-panel.ts';
import { mountOutcomeView } from './outcome-view.ts';
import { mountSamplingView } from './sampling-view.ts';
import { ChatSession } from './session.ts';
import { emptyState } from './state.ts';
import { mountTokenView } from './token-view.ts';
import { mountTurnsView } from './turns-view.ts';

const store = new Store(emptyState);
const session = new ChatSession(store, runtimeFor(location.search));
const status = byId('status', HTMLElement);

mountWorkView(store);
mountDraftView(store, session);
mountTurnsView(store);
mountOutcomeView(store, session);
mountTokenView(store);
mountSamplingView(store, session);
mountModelPanel(store, session);
mountDropZone((given) => void session.receive(given));
store.watch(['notice'], ({ notice }) => {
  status.textContent = notice;
});
void session.start();
