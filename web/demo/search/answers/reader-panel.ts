// The panel of the model that answers questions. The page loads it with the first such model.

import { formatBytes } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, fillFacts } from '../../shared/dom/dom.ts';
import type { SearchState } from '../state/state.ts';

/** Then the focus is on the panel of the other model. */
export function mountReaderPanel(store: Store<SearchState>, close: () => void): void {
  const panel = byId('reader', HTMLElement);
  const name = byId('reader-name', HTMLElement);
  const facts = byId('reader-facts', HTMLDListElement);
  byId('reader-close', HTMLButtonElement).addEventListener('click', close);
  store.watch(['reader'], ({ reader }) => {
    panel.hidden = reader === null;
    if (reader !== null) {
      const { info, weightBytes } = reader.model;
      name.textContent = reader.name;
      fillFacts(facts, [
        ['Format', `${info.format.toUpperCase()} ${info.version}`],
        ['File', formatBytes(info.bytes)],
        ['Weights in memory', formatBytes(weightBytes)],
      ]);
    }
  });
}
