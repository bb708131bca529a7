// A list of words with their scores, best first. A click looks a word up. Pointing at a word highlights it on the map.

import type { ScoredWord } from 'ambry';
import { formatScore } from '../shared/base/format.ts';
import { button, element } from '../shared/dom/dom.ts';
import { scoreBar } from '../shared/dom/score-bar.ts';
import { mountListKeys } from '../shared/focus/list-keys.ts';

interface ListActions {
  pick(word: string): void;
  /** Gets an empty string when no word is pointed at. */
  highlight(word: string): void;
}

function itemOf(
  { word, score }: ScoredWord,
  rank: number,
  { pick, highlight }: ListActions,
): HTMLLIElement {
  const name = button(word, 'word', () => pick(word));
  name.tabIndex = rank === 0 ? 0 : -1;
  const item = element(
    'li',
    '',
    name,
    scoreBar(score),
    element('span', 'score', formatScore(score)),
  );
  for (const begin of ['pointerenter', 'focusin']) {
    item.addEventListener(begin, () => highlight(word));
  }
  for (const end of ['pointerleave', 'focusout']) {
    item.addEventListener(end, () => highlight(''));
  }
  return item;
}

/** Returns the function that fills the list. */
export function mountRanked(
  list: HTMLOListElement,
  actions: ListActions,
): (hits: readonly ScoredWord[]) => void {
  mountListKeys(list, 'button');
  return (hits) => {
    list.replaceChildren(...hits.map((hit, rank) => itemOf(hit, rank, actions)));
  };
}
