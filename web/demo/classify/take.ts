// Gives files and addresses to the task that runs them. The page loads this with the first of them.

import { explainGiven } from '../shared/explain/explain-failure.ts';
import type { GivenFiles } from '../shared/files/given-files.ts';
import type { IdentifiedFiles } from './given/identify-files.ts';
import { kindOf, routeOf } from './given/route.ts';
import type { PageTools } from './page-tools.ts';

/** Opens the model at an address in the task for it. */
export async function takeAddress(
  address: string,
  planUrl: string,
  { store, runtime, pictures, loadTexts }: PageTools,
): Promise<void> {
  const kind = planUrl === '' ? await kindOf(address, runtime) : 'imageClassifier';
  const isForText = kind === 'textClassifier' || kind === 'tokenClassifier';
  if (store.state.task === 'picture' && !isForText) {
    await pictures.openUrl(address, planUrl);
  } else {
    await (await loadTexts()).texts.openUrl(address, kind);
  }
}

/** Opens the files in the task for them. */
export async function takeFiles(all: GivenFiles, tools: PageTools): Promise<void> {
  const { store, runtime, loadTexts } = tools;
  const { task } = store.state;
  const route = await routeOf(all.files, task, runtime);
  if (route.to === 'pictures') {
    return takePictures(route.files, all, tools);
  }
  const { texts, learning } = await loadTexts();
  switch (route.to) {
    case 'model':
      return texts.openModel(route.given, all);
    case 'classifier':
      return learning.openSaved(route.file);
    case 'examples':
      return learning.learnFile(route.file);
    case 'text':
      return texts.readText(task === 'names' ? task : 'text', route.file);
  }
}

/** The page shows pictures if a picture or a network was opened. */
async function takePictures(
  found: IdentifiedFiles,
  all: GivenFiles,
  { store, pictures }: PageTools,
): Promise<void> {
  const { weights, plan, labels, picture } = found;
  const before = store.state.network;
  const explain = explainGiven(all, 'classify');
  try {
    if (picture !== null) {
      await pictures.showFile(picture);
      store.update({ task: 'picture' });
    }
    if (weights.length > 0 || plan !== null || labels !== null) {
      await pictures.openParts(found, explain);
    }
  } catch (error) {
    const more = await explain(error).catch(() => ({}));
    store.update({ failure: { title: 'The file could not be opened', error, ...more } });
  }
  if (store.state.network !== before) {
    store.update({ task: 'picture' });
  }
  const { task, network, failure } = store.state;
  if (task === 'picture' && network === null && failure === null) {
    await pictures.openBuiltIn();
  }
}
