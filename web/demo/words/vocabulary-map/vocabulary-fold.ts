// The fold with the map of all words. The code of the map is loaded when it is first opened.

import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import { mountMapFold } from '../../shared/point-map/map-fold.ts';
import type { WordsState } from '../session/state.ts';

export function mountVocabularyFold(
  store: Store<WordsState>,
  lookUp: (word: string) => void,
): void {
  mountMapFold(store, byId('vocabulary', HTMLDetailsElement), async (fold, body) => {
    const { mountVocabularyView } = await import('./vocabulary-view.ts');
    mountVocabularyView({ store, fold, body, lookUp });
  });
}
