// The panel of the loaded model: its name, a summary, the metadata of its file, and controls to open another.

import type { Model } from 'ambry';
import type { Store } from '../base/store.ts';
import { byId, fillFacts } from '../dom/dom.ts';
import { showPairs } from '../dom/value-view.ts';
import type { FileSource } from '../files/file-source.ts';
import { type FileOpener, mountOpenFile } from '../files/open-file.ts';
import type { PageState } from './jobs.ts';

/** A file and the model opened from it. */
interface LoadedFile extends FileSource {
  readonly model: Model;
}

/** The state of a page with such a panel. */
interface LoadedState<Loaded> extends PageState {
  readonly loaded: Loaded | null;
}

/** The texts of the panel. */
interface PanelTexts<Loaded> {
  summary(loaded: Loaded): string;
  facts(loaded: Loaded): readonly (readonly [string, string])[];
}

/** `prefix` starts the ids of the panel's elements: `model-name`, `model-line`. */
export function mountLoadedPanel<Loaded extends LoadedFile, State extends LoadedState<Loaded>>(
  store: Store<State>,
  session: FileOpener & { openBuiltIn(): Promise<void> },
  prefix: 'model' | 'file',
  texts: PanelTexts<Loaded>,
): void {
  const name = byId(`${prefix}-name`, HTMLElement);
  const line = byId(`${prefix}-line`, HTMLElement);
  const about = byId('about', HTMLElement);
  const facts = byId('about-facts', HTMLDListElement);
  const builtIn = byId('built-in', HTMLButtonElement);

  mountOpenFile(session);
  builtIn.addEventListener('click', () => void session.openBuiltIn());
  store.watch(['loaded', 'job'], ({ loaded, job }) => {
    name.textContent = loaded?.name ?? (job === null ? 'None' : 'Loading…');
    builtIn.hidden = loaded === null ? job !== null : loaded.builtIn;
  });
  store.watch(['loaded'], ({ loaded }) => {
    line.textContent = loaded === null ? '' : texts.summary(loaded);
    about.hidden = loaded === null;
    fillFacts(facts, loaded === null ? [] : texts.facts(loaded));
    showPairs('config', loaded?.model.info.config ?? null);
    showPairs('metadata', loaded?.model.info.metadata ?? null);
  });
}
