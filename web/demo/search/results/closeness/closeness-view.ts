// Shows how close each result is, and says when none is.

import type { SearchHit } from 'ambry';
import type { Store } from '../../../shared/base/store.ts';
import { button, byId, element } from '../../../shared/dom/dom.ts';
import { type Closeness, type ClosenessScale, closenessOf, shareOf } from '../../state/scale.ts';
import { type AnswerCloseness, hybridOf, type SearchState } from '../../state/state.ts';
import { contentWords, matchedRanges, normalizeWord } from '../matching/matched-words.ts';

/** The part of the question's words that the passage has. */
export function wordShare(words: ReadonlySet<string>, text: string): number {
  const found = new Set(matchedRanges(text, words).map(({ word }) => normalizeWord(word)));
  return words.size > 0 ? found.size / words.size : 0;
}

/** How close each hit of the answer is. */
export function closenessesOf({ answer, scores, scale }: AnswerCloseness): readonly Closeness[] {
  const words = contentWords(answer.meant ?? answer.query);
  const best = Math.max(...scores);
  return answer.hits.map(({ text }, at) =>
    closenessOf(scores[at] ?? 0, scale, wordShare(words, text), best),
  );
}

/** What the bar of a hit shows: its cosine, with what the words add to it, so that bars are in the order of the hits. */
function barScore({ answer, scores }: AnswerCloseness, at: number): number {
  const { score, cosine, terms } = answer.hits[at] as SearchHit;
  const own = scores[at] ?? 0;
  return terms !== undefined && own === cosine ? score / (1 - hybridOf('words')) : own;
}

function showAt(item: Element, score: number, closeness: Closeness, scale: ClosenessScale): void {
  const place = item.querySelector('.result-score');
  const word = item.querySelector('.closeness') ?? element('span', 'closeness');
  word.textContent = closeness;
  place?.prepend(word);
  const bar = item.querySelector<HTMLElement>('.result-score .bar');
  bar?.style.setProperty('--score', shareOf(score, scale).toFixed(3));
}

/** `ask` puts a question into the field and searches. */
export function mountClosenessView(
  store: Store<SearchState>,
  list: HTMLElement,
  ask: (query: string) => void,
): () => void {
  const line = byId('nothing-close', HTMLElement);
  return () => {
    const { answer, closeness: known } = store.state;
    const closeness = known?.answer === answer ? known : null;
    const found = closeness === null ? [] : closenessesOf(closeness);
    const nothingClose = found.length > 0 && found.every((word) => word === 'not close');
    found.forEach((word, at) => {
      const item = list.children[at];
      if (item !== undefined && closeness !== null) {
        showAt(item, barScore(closeness, at), word, closeness.scale);
      }
    });
    const meant = answer?.meant;
    line.hidden = !nothingClose && meant === undefined;
    line.textContent = nothingClose
      ? `Nothing close to “${answer?.query}”. Below are the nearest passages, which may have nothing to do with it. `
      : '';
    if (meant !== undefined) {
      line.append(
        'Did you mean ',
        button(meant, 'quiet', () => ask(meant)),
        '?',
      );
    }
    store.update({ nothingClose });
  };
}
