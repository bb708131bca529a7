// The entry of the classify page. The code for texts is loaded with the first text.

import { Store } from '../shared/base/store.ts';
import { receiveHanded } from '../shared/handover/receive-handed.ts';
import { Jobs } from '../shared/jobs/jobs.ts';
import { mountPage, type Receive } from '../shared/page/mount-page.ts';
import { watchTexts } from '../shared/page/visible-texts.ts';
import { forgetContact } from '../shared/page-address/open-linked.ts';
import { type Address, mountPageAddress } from '../shared/page-address/page-address.ts';
import { readLink } from '../shared/page-address/parameters.ts';
import { allForms, mountSharedPart } from '../shared/share/share-view.ts';
import { runtimeFor } from '../shared/site/runtime.ts';
import { type ClassifyLink, classifyParameters, linkOf } from './classify-link.ts';
import { PageSession } from './page-session.ts';
import { mountAnswersView } from './picture/answers-view.ts';
import { mountCameraView } from './picture/camera-view.ts';
import { mountFeatureMaps } from './picture/feature-maps-view.ts';
import { mountLayersView } from './picture/layers-view.ts';
import { ownDrawing } from './picture/names.ts';
import { mountNetworkPanel } from './picture/network-panel.ts';
import { mountPadView } from './picture/pad-view.ts';
import { PictureSession } from './picture/picture-session.ts';
import { emptyState } from './state/state.ts';
import { taskTitles } from './state/task.ts';
import { mountTaskView } from './task-view.ts';
import type { TextParts } from './text-parts.ts';

const store = new Store(emptyState);
const jobs = new Jobs(store);
const runtime = runtimeFor(location.search);
const pictures = new PictureSession(store, jobs, runtime);
const linked = readLink(location.search, classifyParameters);

let loading: Promise<TextParts> | null = null;
const loadTexts = (): Promise<TextParts> => {
  loading ??= import('./text-parts.ts').then(({ mountTextParts }) =>
    mountTextParts({ store, jobs, runtime, address, receive, openUrl }),
  );
  loading.catch(() => {
    loading = null;
  });
  return loading;
};

const session = new PageSession({ store, runtime, pictures, loadTexts });
const receive: Receive = (given) => session.receive(given);
const openUrl = (address: string): void => void session.openUrl(address);

watchTexts('names');
mountPage(store, receive);
mountTaskView(store, session);
mountNetworkPanel(store, pictures, receive);
mountAnswersView(store);
mountFeatureMaps(store);
mountLayersView(store, pictures);
const showDrawing = mountPadView(store, pictures, receive);
mountCameraView(store, pictures);

const show = (link: ClassifyLink): Promise<void> => {
  if (link.task === 'picture') {
    showDrawing(link.drawing);
  }
  return session.openLinked(link);
};
const address: Address = mountPageAddress({
  parameters: classifyParameters,
  current: () => linkOf(store.state, linked),
  follow: show,
  titleOf: ({ task }) => (task === 'picture' ? '' : taskTitles[task]),
});
showDrawing(linked.drawing);
void session.openLinked(linked);
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
store.watch(['task'], () => address.choose());
store.watch(['network'], ({ network }) => {
  if (network !== null) {
    address.choose();
    forgetContact(network.files.weights[0]?.source);
  }
});
void receiveHanded(store, receive);
