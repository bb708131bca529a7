// Shows how close each result is, and says when none is.

import type { SearchHit } from 'ambry';
import { byId, element } from '../../../shared/dom.ts';
import type { Store } from '../../../shared/store.ts';
import type { Answer, SearchState } from '../../state.ts';
import { contentWords, matchedRanges, normalizeWord } from '../matched-words.ts';
import { type Closeness, type ClosenessScale, closenessOf, shareOf } from './scale.ts';

/** True if the passage has at least half of the question's words. */
export function hasWordsOf(words: ReadonlySet<string>, text: string): boolean {
  const found = new Set(matchedRanges(text, words).map(({ word }) => normalizeWord(word)));
  return words.size > 0 && 2 * found.size >= words.size;
}

/** How close each hit of the answer is. */
export function closenessesOf(
  { query, hits }: Pick<Answer, 'query' | 'hits'>,
  scale: ClosenessScale,
): readonly Closeness[] {
  const words = contentWords(query);
  return hits.map(({ cosine, text }) => closenessOf(cosine, scale, hasWordsOf(words, text)));
}

function showAt(
  item: Element,
  { cosine }: SearchHit,
  closeness: Closeness,
  scale: ClosenessScale,
): void {
  const score = item.querySelector('.result-score');
  const word = item.querySelector('.closeness') ?? element('span', 'closeness');
  word.textContent = closeness;
  score?.prepend(word);
  const bar = item.querySelector<HTMLElement>('.result-score .bar');
  bar?.style.setProperty('--score', shareOf(cosine, scale).toFixed(3));
}

export function mountClosenessView(store: Store<SearchState>, list: HTMLElement): () => void {
  const line = byId('nothing-close', HTMLElement);
  return () => {
    const { answer, closeness: scale } = store.state;
    const found = answer === null || scale === null ? [] : closenessesOf(answer, scale);
    const nothingClose = found.length > 0 && found.every((word) => word === 'not close');
    answer?.hits.forEach((hit, at) => {
      const item = list.children[at];
      const closeness = found[at];
      if (item !== undefined && closeness !== undefined && scale !== null) {
        showAt(item, hit, closeness, scale);
      }
    });
    line.hidden = !nothingClose;
    line.textContent = nothingClose
      ? `Nothing close to “${answer?.query}”. Below are the nearest passages, which may have nothing to do with it.`
      : '';
    store.update({ nothingClose });
  };
}
