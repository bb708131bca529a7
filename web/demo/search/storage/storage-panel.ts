// The panel with the sizes of the saved data and the button to delete it.

import { byId, fillFacts } from '../../shared/dom.ts';
import { formatBytes } from '../../shared/format.ts';
import type { Store } from '../../shared/store.ts';
import type { SearchState } from '../state.ts';

export function mountStoragePanel(store: Store<SearchState>, deleteSaved: () => void): void {
  const panel = byId('saved', HTMLElement);
  const facts = byId('saved-facts', HTMLDListElement);
  const problemLine = byId('saved-problem', HTMLElement);
  const deleteButton = byId('saved-delete', HTMLButtonElement);

  deleteButton.addEventListener('click', deleteSaved);
  store.watch(['saved'], ({ saved }) => {
    panel.hidden = saved === null;
    const { sizes, problem } = saved ?? { sizes: [], problem: '' };
    fillFacts(
      facts,
      sizes.map(([name, bytes]) => [name, formatBytes(bytes)]),
    );
    problemLine.textContent = problem;
    problemLine.hidden = problem === '';
    const all = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    deleteButton.hidden = all === 0;
    deleteButton.textContent = `Delete saved data (${formatBytes(all)})`;
  });
}
