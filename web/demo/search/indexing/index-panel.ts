// The index as a file: out, and in again.

import { byId, fillFacts, onFilesChosen } from '../../shared/dom.ts';
import { formatCount } from '../../shared/format.ts';
import { saveFile } from '../../shared/save-file.ts';
import type { Store } from '../../shared/store.ts';
import type { Session } from '../session.ts';
import type { SearchState } from '../state.ts';

export function mountIndexPanel(store: Store<SearchState>, session: Session): void {
  const facts = byId('index-facts', HTMLDListElement);
  const exporter = byId('index-export', HTMLButtonElement);

  exporter.addEventListener('click', () => session.act(({ index }) => index.export(saveFile)));
  onFilesChosen(byId('index-import', HTMLInputElement), ([file]) => {
    if (file !== undefined) {
      void session.act(({ index }) => index.import(file));
    }
  });
  store.watch(['index', 'sources'], ({ index, sources }) => {
    // Half an index would pass for a whole one.
    const isPartial = sources.some(({ waiting = [] }) => waiting.length > 0);
    exporter.disabled = index === null || index.size === 0 || isPartial;
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
