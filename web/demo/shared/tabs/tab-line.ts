// The line that says what this tab cannot keep while another tab has the same saved data.

import type { Store } from '../base/store.ts';
import { byId } from '../dom/dom.ts';

/** The part of the state for it. */
export interface TabState {
  /** Whether another tab has the saved data of this one. */
  readonly otherTab: boolean;
}

export function mountTabLine<State extends TabState>(store: Store<State>, text: string): void {
  const line = byId('tab-line', HTMLElement);
  store.watch(['otherTab'], ({ otherTab }) => {
    line.textContent = otherTab ? text : '';
  });
}
