// What is kept in this browser for the next visit, how much it is, and the way to be rid of it.

import { byId, fillFacts } from '../../shared/dom.ts';
import { formatBytes } from '../../shared/format.ts';
import type { Store } from '../../shared/store.ts';
import type { SearchState } from '../state.ts';

export function mountKeptPanel(store: Store<SearchState>, forgetAll: () => void): void {
  const panel = byId('kept', HTMLElement);
  const facts = byId('kept-facts', HTMLDListElement);
  const trouble = byId('kept-trouble', HTMLElement);
  const forget = byId('kept-forget', HTMLButtonElement);

  forget.addEventListener('click', forgetAll);
  store.watch(['kept'], ({ kept }) => {
    panel.hidden = kept === null;
    const { sizes, trouble: what } = kept ?? { sizes: [], trouble: '' };
    fillFacts(
      facts,
      sizes.map(([name, bytes]) => [name, formatBytes(bytes)]),
    );
    trouble.textContent = what;
    trouble.hidden = what === '';
    const all = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    forget.hidden = all === 0;
    forget.textContent = `Forget everything kept here (${formatBytes(all)})`;
  });
}
