// What the pages that open files have in common.

import type { Store } from '../base/store.ts';
import { byId } from '../dom/dom.ts';
import { mountDropZone } from '../files/drop-zone.ts';
import type { GivenFiles } from '../files/given-files.ts';
import type { PageState } from '../jobs/jobs.ts';
import { mountWorkView } from '../jobs/work-view.ts';

/** Takes files that are dropped or chosen. */
export type Receive = (given: Promise<GivenFiles> | GivenFiles) => Promise<void>;

/** The line of the page's status, and the fields that it is made of. */
export interface StatusLine<State> {
  readonly of: (state: State) => string;
  readonly fields: readonly (keyof State)[];
}

/** Mounts the running job with its failure, the status, and the files that are dropped on the page. */
export function mountPage<State extends PageState>(
  store: Store<State>,
  receive: Receive,
  { of, fields }: StatusLine<State> = { of: ({ notice }) => notice, fields: ['notice'] },
): void {
  const status = byId('status', HTMLElement);
  mountWorkView(store);
  mountDropZone((given) => void receive(given));
  store.watch(fields, (state) => {
    const text = of(state);
    if (status.textContent !== text) {
      status.textContent = text;
    }
  });
}
