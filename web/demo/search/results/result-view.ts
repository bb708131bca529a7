// A result in full: where the passage stands, the words that matched, and others that say nearly the same.

import type { SearchHit } from 'ambry';
import { element } from '../../shared/dom.ts';
import { formatCount, formatScore } from '../../shared/format.ts';
import { matchedRanges } from './matched-words.ts';
import { resultItem, sourceOf } from './result-item.ts';

/** `guide.pdf · Opening hours · page 3`, as far as it is known. */
export function placeOf(doc: SearchHit['doc']): string {
  const { heading, page } = doc as { readonly heading?: unknown; readonly page?: unknown };
  const parts = [sourceOf(doc)];
  if (typeof heading === 'string') {
    parts.push(heading);
  }
  if (typeof page === 'number') {
    parts.push(`page ${formatCount(page)}`);
  }
  return parts.filter((part) => part !== '').join(' · ');
}

/** The text with what matched in `<mark>`. */
function markedText(text: string, words: ReadonlySet<string>): readonly (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let at = 0;
  for (const { start, end } of matchedRanges(text, words)) {
    parts.push(text.slice(at, start), element('mark', '', text.slice(start, end)));
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** Tells why a passage is among the answers. */
export type Explain = (hit: SearchHit) => Promise<readonly HTMLElement[]>;

/** It is worked out when it is first unfolded. */
function whyFold(hit: SearchHit, explain: Explain): HTMLElement {
  const fold = element(
    'details',
    'fold result-fold',
    element('summary', '', 'What its word pieces add'),
  );
  fold.addEventListener('toggle', async () => {
    if (fold.open && fold.childElementCount === 1) {
      fold.append(...(await explain(hit)));
    }
  });
  return fold;
}

function alikeFold(others: readonly SearchHit[], words: ReadonlySet<string>): HTMLElement {
  const items = others.map((hit) =>
    element(
      'li',
      '',
      element('p', 'result-source', `${placeOf(hit.doc)} · ${formatScore(hit.score)}`),
      element('p', '', ...markedText(hit.text, words)),
    ),
  );
  return element(
    'details',
    'fold result-fold',
    element('summary', '', `${formatCount(others.length)} more like this`),
    element('ul', 'alike', ...items),
  );
}

/** `words` are what is marked, in their plain form. */
export function fullItem(
  hit: SearchHit,
  others: readonly SearchHit[],
  words: ReadonlySet<string>,
  explain: Explain,
): HTMLLIElement {
  const item = resultItem(hit);
  item.querySelector('.result-source')?.replaceChildren(placeOf(hit.doc));
  item.querySelector('.result-text')?.replaceChildren(...markedText(hit.text, words));
  if (hit.terms !== undefined) {
    item
      .querySelector('.result-score')
      ?.setAttribute(
        'title',
        `Meaning and words together; the meaning alone: ${formatScore(hit.cosine)}`,
      );
  }
  item.append(whyFold(hit, explain));
  if (others.length > 0) {
    item.append(alikeFold(others, words));
  }
  return item;
}
