// The panel with the sizes of the saved data and the button to delete it.

import { byId, fillFacts } from '../../shared/dom.ts';
import { formatBytes } from '../../shared/format.ts';
import { keptSite } from '../../shared/kept-site.ts';
import type { Store } from '../../shared/store.ts';
import type { SearchState } from '../state.ts';

const siteName = 'The site, to work offline';

export function mountStoragePanel(store: Store<SearchState>, deleteSaved: () => void): void {
  const panel = byId('saved', HTMLElement);
  const facts = byId('saved-facts', HTMLDListElement);
  const problemLine = byId('saved-problem', HTMLElement);
  const deleteButton = byId('saved-delete', HTMLButtonElement);

  const siteLine = byId('saved-site', HTMLElement);

  const show = (): void => {
    const { saved } = store.state;
    const { bytes: site } = keptSite.state;
    // Without data of its own, the page has no panel: the footer tells of the site.
    panel.hidden = saved === null;
    const { sizes, problem } = saved ?? { sizes: [], problem: '' };
    const all = [...sizes, ...(site === null ? [] : [[siteName, site] as const])];
    fillFacts(
      facts,
      all.map(([name, bytes]) => [name, formatBytes(bytes)]),
    );
    siteLine.hidden = site === null;
    problemLine.textContent = problem;
    problemLine.hidden = problem === '';
    const own = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    deleteButton.hidden = own === 0;
    deleteButton.textContent = `Delete saved data (${formatBytes(own)})`;
  };
  deleteButton.addEventListener('click', deleteSaved);
  store.watch(['saved'], show);
  keptSite.watch(['bytes'], show);
}
