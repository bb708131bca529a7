// The entry of the landing page. The code that reads models is loaded with the first file or address.

import { Store } from '../shared/base/store.ts';
import { copyButton } from '../shared/dom/copy-button.ts';
import { byId } from '../shared/dom/dom.ts';
import type { GivenFiles } from '../shared/files/given-files.ts';
import { mountOpenFile } from '../shared/files/open-file.ts';
import { onLaunched } from '../shared/handover/launched-files.ts';
import { mountPage } from '../shared/page/mount-page.ts';
import { watchTexts } from '../shared/page/visible-texts.ts';
import { mountSamples } from '../shared/samples/samples-view.ts';
import { runtimeFor } from '../shared/site/runtime.ts';
import { mountCards } from './cards.ts';
import { mountFoundView } from './found-view.ts';
import type { HomeSession } from './session.ts';
import { emptyState } from './state.ts';

const store = new Store(emptyState);
let loading: Promise<HomeSession> | undefined;

async function load(): Promise<HomeSession> {
  const { HomeSession } = await import('./session.ts');
  return new HomeSession(store, runtimeFor(location.search));
}

function fail(error: unknown): void {
  store.update({ failure: { title: 'That did not work', error } });
}

async function run(action: (session: HomeSession) => Promise<void>): Promise<void> {
  try {
    loading ??= load();
    await action(await loading);
  } catch (error) {
    loading = undefined;
    fail(error);
  }
}

function receive(given: Promise<GivenFiles> | GivenFiles): Promise<void> {
  // The files may fail before the session is there, which then reports it.
  Promise.resolve(given).catch(() => undefined);
  return run((session) => session.receive(given));
}

watchTexts('names');
mountPage(store, receive);
mountFoundView(store, (found, page) => void run((session) => session.open(found, page)));
mountSamples(['encoder', 'words', 'gguf', 'network', 'damaged', 'cutOff'], receive);
mountCards(fail);
byId('install-line', HTMLElement).append(
  copyButton('Copy', () => byId('install', HTMLElement).textContent ?? ''),
);
onLaunched((given) => void receive(given));
mountOpenFile({ receive, openUrl: (url) => run((session) => session.openUrl(url)) }, [
  'files',
  'folder',
]);
