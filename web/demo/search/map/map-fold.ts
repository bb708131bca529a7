// The fold with the map of all passages.

import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import { mountMapFold } from '../../shared/point-map/map-fold.ts';
import type { SearchState } from '../state/state.ts';

export function mountPassageMap(store: Store<SearchState>, ask: (query: string) => void): void {
  mountMapFold(store, byId('map', HTMLDetailsElement), async (fold, body) => {
    const { mountMapView } = await import('./map-view.ts');
    mountMapView({ store, fold, body, ask });
  });
}
