// Words with their scores as bars, best first. Pressing one takes it up; pointing at one lights it on the map.

import type { ScoredWord } from 'ambry';
import { button, element } from '../shared/dom.ts';
import { formatScore } from '../shared/format.ts';
import { mountListKeys } from '../shared/list-keys.ts';

export interface ListActs {
  pick(word: string): void;
  /** The empty string when nothing is pointed at any more. */
  light(word: string): void;
}

function itemOf(
  { word, score }: ScoredWord,
  rank: number,
  { pick, light }: ListActs,
): HTMLLIElement {
  const bar = element('span', 'bar');
  bar.style.setProperty('--score', String(Math.min(1, Math.max(0, score))));
  bar.setAttribute('aria-hidden', 'true');
  const name = button(word, 'word', () => pick(word));
  name.tabIndex = rank === 0 ? 0 : -1;
  const item = element('li', '', name, bar, element('span', 'score', formatScore(score)));
  for (const begin of ['pointerenter', 'focusin']) {
    item.addEventListener(begin, () => light(word));
  }
  for (const end of ['pointerleave', 'focusout']) {
    item.addEventListener(end, () => light(''));
  }
  return item;
}

/** Returns what fills the list; the arrow keys walk through it. */
export function mountRanked(
  list: HTMLOListElement,
  acts: ListActs,
): (hits: readonly ScoredWord[]) => void {
  mountListKeys(list, 'button');
  return (hits) => {
    list.replaceChildren(...hits.map((hit, rank) => itemOf(hit, rank, acts)));
  };
}
