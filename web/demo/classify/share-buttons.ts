// The buttons that share the answers.

import type { Store } from '../shared/base/store.ts';
import { byId } from '../shared/dom/dom.ts';
import type { Address } from '../shared/page-address/page-address.ts';
import { allForms, mountShare } from '../shared/share/share-view.ts';
import type { ClassifyState } from './state.ts';

export function mountShareButtons(store: Store<ClassifyState>, address: Address): void {
  const update = mountShare(byId('share', HTMLElement), {
    load: async () => (await import('./share-answers.ts')).shareAnswers(store, address),
    forms: () => (store.state.answers.some(({ top }) => top.length > 0) ? allForms : []),
    hasSnippets: true,
    notify: (notice) => store.update({ notice }),
  });
  store.watch(['answers', 'network'], update);
}
