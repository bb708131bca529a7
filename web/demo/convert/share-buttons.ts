// The buttons that share a conversion.

import type { Store } from '../shared/base/store.ts';
import { byId } from '../shared/dom/dom.ts';
import type { Address } from '../shared/page-address/page-address.ts';
import type { Form } from '../shared/share/share-texts.ts';
import { allForms, mountShare } from '../shared/share/share-view.ts';
import type { ConvertState } from './state.ts';

/** A report without tensors has no table. */
function formsOf({ outcome }: ConvertState): readonly Form[] {
  if (outcome === null) {
    return [];
  }
  return (outcome.report?.tensors.length ?? 0) > 0 ? allForms : ['JSON'];
}

export function mountShareButtons(store: Store<ConvertState>, address: Address): void {
  const update = mountShare(byId('share', HTMLElement), {
    load: async () => (await import('./share-outcome.ts')).shareOutcome(store, address),
    forms: () => formsOf(store.state),
    hasSnippets: true,
    notify: (notice) => store.update({ notice }),
  });
  store.watch(['outcome'], update);
}
