// The panel with the sizes of the saved data and the button to delete it.

import { formatBytes } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, fillFacts } from '../../shared/dom/dom.ts';
import { keptSite } from '../../shared/site/kept-site.ts';
import type { SearchState } from '../state/state.ts';

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
