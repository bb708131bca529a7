// The panel with the size of the index and the buttons to export and import it.

import { formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, fillFacts, onFilesChosen } from '../../shared/dom/dom.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import type { Session } from '../session/session.ts';
import type { SearchState } from '../state/state.ts';

export function mountIndexPanel(store: Store<SearchState>, session: Session): void {
  const facts = byId('index-facts', HTMLDListElement);
  const exportButton = byId('index-export', HTMLButtonElement);

  exportButton.addEventListener('click', () => session.run(({ index }) => index.export(saveFile)));
  onFilesChosen(byId('index-import', HTMLInputElement), ([file]) => {
    if (file !== undefined) {
      void session.run(({ index }) => index.import(file));
    }
  });
  store.watch(['index', 'sources'], ({ index, sources }) => {
    // An incomplete index is not exported, as nobody could tell it from a complete one.
    const isPartial = sources.some(({ waiting = [] }) => waiting.length > 0);
    exportButton.disabled = index === null || index.size === 0 || isPartial;
    fillFacts(
      facts,
      index === null
        ? []
        : [
            ['Vectors', formatCount(index.size)],
            ['Dimensions', formatCount(index.dim)],
          ],
    );
  });
}
