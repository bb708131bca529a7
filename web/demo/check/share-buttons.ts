// The buttons that share a report.

import type { Store } from '../shared/base/store.ts';
import { byId } from '../shared/dom/dom.ts';
import type { Address } from '../shared/page-address/page-address.ts';
import type { Form } from '../shared/share/share-texts.ts';
import { allForms, mountShare } from '../shared/share/share-view.ts';
import { type CheckedFile, type CheckState, selectedFile } from './session/state.ts';

/** Tensors and problems have tables. */
function formsOf(file: CheckedFile | null): readonly Form[] {
  if (file === null || (file.report === null && file.run === null)) {
    return [];
  }
  const { errors = [], warnings = [] } = file.report ?? {};
  const rows = (file.inspection?.tensors.length ?? 0) + errors.length + warnings.length;
  return rows > 0 ? allForms : ['JSON'];
}

export function mountShareButtons(store: Store<CheckState>, address: Address): void {
  const update = mountShare(byId('share', HTMLElement), {
    load: async () => (await import('./share-report.ts')).shareReport(store, address),
    forms: () => formsOf(selectedFile(store.state)),
    hasSnippets: true,
    notify: (notice) => store.update({ notice }),
  });
  store.watch(['files', 'selected'], update);
}
