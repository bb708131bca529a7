// A plain result: the source, the passage and its score.

import type { SearchHit } from 'ambry';
import { formatScore } from '../../shared/base/format.ts';
import { element } from '../../shared/dom/dom.ts';

export function sourceOf(doc: SearchHit['doc']): string {
  const source = doc['source'];
  return typeof source === 'string' ? source : '';
}

export function resultItem(hit: SearchHit): HTMLLIElement {
  const bar = element('span', 'bar');
  bar.style.setProperty('--score', String(Math.min(1, Math.max(0, hit.score))));
  bar.setAttribute('aria-hidden', 'true');
  const score = element(
    'p',
    'result-score',
    bar,
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
