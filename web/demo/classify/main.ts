// The entry of the classify page.

import { Store } from '../shared/base/store.ts';
import { byId } from '../shared/dom/dom.ts';
import { mountDropZone } from '../shared/files/drop-zone.ts';
import { receiveHanded } from '../shared/handover/receive-handed.ts';
import { mountWorkView } from '../shared/jobs/work-view.ts';
import { forgetContact } from '../shared/page-address/open-linked.ts';
import { mountPageAddress } from '../shared/page-address/page-address.ts';
import { readLink } from '../shared/page-address/parameters.ts';
import { runtimeFor } from '../shared/site/runtime.ts';
import { mountAnswersView } from './answers-view.ts';
import { mountCameraView } from './camera-view.ts';
import { classifyParameters, linkOf } from './classify-link.ts';
import { mountFeatureMaps } from './feature-maps-view.ts';
import { mountLayersView } from './layers-view.ts';
import { ownDrawing } from './names.ts';
import { mountNetworkPanel } from './network-panel.ts';
import { mountPadView } from './pad-view.ts';
import { ClassifySession } from './session.ts';
import { mountShareButtons } from './share-buttons.ts';
import { emptyState } from './state.ts';

const store = new Store(emptyState);
const session = new ClassifySession(store, runtimeFor(location.search));
const status = byId('status', HTMLElement);

mountWorkView(store);
mountNetworkPanel(store, session);
mountAnswersView(store);
mountFeatureMaps(store);
mountLayersView(store, session);
const showDrawing = mountPadView(store, session);
mountCameraView(store, session);
mountDropZone((given) => void session.receive(given));
store.watch(['notice'], ({ notice }) => {
  status.textContent = notice;
});

const linked = readLink(location.search, classifyParameters);
showDrawing(linked.drawing);
void session.openLinked(linked);
const address = mountPageAddress({
  parameters: classifyParameters,
  current: () => linkOf(store.state, linked),
  follow(link) {
    showDrawing(link.drawing);
    return session.openLinked(link);
  },
  titleOf: () => '',
});
mountShareButtons(store, address);
store.watch(['picture'], ({ picture }) => {
  if (picture?.name === ownDrawing) {
    address.changed();
  } else {
    address.choose();
  }
});
store.watch(['network'], ({ network }) => {
  if (network === null) {
    return;
  }
  address.choose();
  forgetContact(network.files.weights[0]?.source);
});
void receiveHanded(store, (given) => session.receive(given));
