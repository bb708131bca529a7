// The buttons that share a lookup and an analogy.

import type { Store } from '../shared/base/store.ts';
import { byId } from '../shared/dom/dom.ts';
import type { Address } from '../shared/page-address/page-address.ts';
import { allForms, mountShare } from '../shared/share/share-view.ts';
import type { WordsState } from './session/state.ts';

export function mountShareButtons(store: Store<WordsState>, address: Address): void {
  const code = () => import('./share-words.ts');
  const formsOf = (hits: readonly unknown[] = []) => (hits.length > 0 ? allForms : []);
  const notify = (notice: string): void => store.update({ notice });
  const lookup = mountShare(byId('lookup-share', HTMLElement), {
    load: async () => (await code()).shareLookup(store, address),
    forms: () => formsOf(store.state.lookup?.hits),
    hasSnippets: true,
    notify,
  });
  const analogy = mountShare(byId('analogy-share', HTMLElement), {
    load: async () => (await code()).shareAnalogy(store, address),
    forms: () => formsOf(store.state.analogy?.hits),
    hasSnippets: true,
    notify,
  });
  store.watch(['lookup'], lookup);
  store.watch(['analogy'], analogy);
}
