// A fold with a map. The code of the map is loaded when it is first opened.

import type { Store } from '../base/store.ts';
import { element } from '../dom/dom.ts';
import type { PageState } from '../jobs/jobs.ts';

export function mountMapFold<State extends PageState>(
  store: Store<State>,
  fold: HTMLDetailsElement,
  mount: (fold: HTMLDetailsElement, body: HTMLElement) => Promise<void>,
): void {
  let loading = false;
  fold.addEventListener('toggle', async () => {
    if (loading || !fold.open) {
      return;
    }
    loading = true;
    const body = element('div');
    fold.append(body);
    try {
      await mount(fold, body);
    } catch (error) {
      loading = false;
      body.remove();
      const failure = { title: 'Part of this page could not be loaded', error };
      store.update({ failure } as Partial<State>);
    }
  });
}
