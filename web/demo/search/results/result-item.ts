// A plain result: the source, the passage and its score.

import type { SearchHit } from 'ambry';
import { formatScore } from '../../shared/base/format.ts';
import { element } from '../../shared/dom/dom.ts';
import { scoreBar } from '../../shared/dom/score-bar.ts';

export function sourceOf(doc: SearchHit['doc']): string {
  const source = doc['source'];
  return typeof source === 'string' ? source : '';
}

export function resultItem(hit: SearchHit): HTMLLIElement {
  const score = element(
    'p',
    'result-score',
    scoreBar(hit.score),
    element('span', 'visually-hidden', 'Similarity '),
    element('span', 'number', formatScore(hit.score)),
  );
  score.title = 'Cosine similarity: 1 means the same, 0 means unrelated';
  const item = element(
    'li',
    'result',
    element('p', 'result-source', sourceOf(hit.doc)),
    element('p', 'result-text', hit.text),
    score,
  );
  item.tabIndex = -1;
  return item;
}
