// The fold with the map of all passages. The code of the map is loaded when it is first opened.

import { byId } from '../../shared/dom.ts';
import type { Store } from '../../shared/store.ts';
import type { SearchState } from '../state.ts';

export function mountMapFold(store: Store<SearchState>, ask: (query: string) => void): void {
  const fold = byId('map', HTMLDetailsElement);
  const body = byId('map-body', HTMLElement);
  let loading = false;
  fold.addEventListener('toggle', async () => {
    if (loading || !fold.open) {
      return;
    }
    loading = true;
    try {
      const { mountMapView } = await import('./map-view.ts');
      mountMapView({ store, fold, body, ask });
    } catch (error) {
      loading = false;
      store.update({ failure: { title: 'Part of this page could not be loaded', error } });
    }
  });
}
