// The entry of the classify page.

import { byId } from '../shared/dom.ts';
import { mountDropZone } from '../shared/drop-zone.ts';
import { runtimeFor } from '../shared/runtime.ts';
import { Store } from '../shared/store.ts';
import { mountWorkView } from '../shared/work-view.ts';
import { mountAnswersView } from './answers-view.ts';
import { mountCameraView } from './camera-view.ts';
import { mountLayersView } from './layers-view.ts';
import { mountNetworkPanel } from './network-panel.ts';
import { mountPadView } from './pad-view.ts';
import { ClassifySession } from './session.ts';
import { emptyState } from './state.ts';

const store = new Store(emptyState);
const session = new ClassifySession(store, runtimeFor(location.search));
const status = byId('status', HTMLElement);

mountWorkView(store);
mountNetworkPanel(store, session);
mountAnswersView(store);
mountLayersView(store, session);
mountPadView(store, session);
mountCameraView(store, session);
mountDropZone((given) => void session.receive(given));
store.watch(['notice'], ({ notice }) => {
  status.textContent = notice;
});
void session.openBuiltIn();
