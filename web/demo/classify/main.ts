// The entry of the classify page.

import { Store } from '../shared/base/store.ts';
import { receiveHanded } from '../shared/handover/receive-handed.ts';
import { Jobs } from '../shared/jobs/jobs.ts';
import { mountPage, type Receive } from '../shared/page/mount-page.ts';
import { watchTexts } from '../shared/page/visible-texts.ts';
import { forgetContact } from '../shared/page-address/open-linked.ts';
import { mountPageAddress } from '../shared/page-address/page-address.ts';
import { readLink } from '../shared/page-address/parameters.ts';
import { allForms, mountSharedPart } from '../shared/share/share-view.ts';
import { runtimeFor } from '../shared/site/runtime.ts';
import { classifyParameters, linkOf } from './classify-link.ts';
import { LearnSession } from './learn/learn-session.ts';
import { mountLearnView } from './learn/learn-view.ts';
import { mountAnswersView } from './picture/answers-view.ts';
import { mountCameraView } from './picture/camera-view.ts';
import { mountFeatureMaps } from './picture/feature-maps-view.ts';
import { mountLayersView } from './picture/layers-view.ts';
import { ownDrawing } from './picture/names.ts';
import { mountNetworkPanel } from './picture/network-panel.ts';
import { mountPadView } from './picture/pad-view.ts';
import { PictureSession } from './picture/picture-session.ts';
import { emptyState } from './state/state.ts';

const store = new Store(emptyState);
const jobs = new Jobs(store);
const runtime = runtimeFor(location.search);
const learning = new LearnSession(store, jobs, runtime);
const session = new PictureSession(store, jobs, runtime, learning);

const receive: Receive = (given) => session.receive(given);

watchTexts('names');
mountPage(store, receive);
mountNetworkPanel(store, session);
mountAnswersView(store);
mountFeatureMaps(store);
mountLayersView(store, session);
const showDrawing = mountPadView(store, session);
mountCameraView(store, session);
mountLearnView(store, learning);

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
mountSharedPart(store, {
  load: async () => (await import('./picture/share-answers.ts')).shareAnswers(store, address),
  forms: ({ answers }) => (answers.some(({ labels }) => labels.length > 0) ? allForms : []),
  fields: ['answers', 'network'],
});
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
void receiveHanded(store, receive);
