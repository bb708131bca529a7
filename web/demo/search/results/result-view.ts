// A full result: also the place in the document, the matched words and the near-duplicates.

import type { SearchHit } from 'ambry';
import { formatCount, formatScore } from '../../shared/base/format.ts';
import { element } from '../../shared/dom/dom.ts';
import { matchedRanges } from './matching/matched-words.ts';
import { resultItem, sourceOf } from './result-item.ts';

/** `guide.pdf · Opening hours · page 3`, without the parts that are unknown. */
export function locationOf(doc: SearchHit['doc']): string {
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

/** The text with matched words in `<mark>`. */
function markedText(text: string, words: ReadonlySet<string>): readonly (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let at = 0;
  for (const { start, end } of matchedRanges(text, words)) {
    parts.push(text.slice(at, start), element('mark', '', text.slice(start, end)));
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** Makes the view of a hit's explanation. */
export type Explain = (hit: SearchHit) => Promise<readonly HTMLElement[]>;

/** The explanation is computed when it is first opened. */
function explanationFold(hit: SearchHit, explain: Explain): HTMLElement {
  const fold = element(
    'details',
    'fold result-fold',
    element('summary', '', 'Contribution of each word piece'),
  );
  fold.addEventListener('toggle', async () => {
    if (fold.open && fold.childElementCount === 1) {
      fold.append(...(await explain(hit)));
    }
  });
  return fold;
}

function nearDuplicatesFold(others: readonly SearchHit[], words: ReadonlySet<string>): HTMLElement {
  const items = others.map((hit) =>
    element(
      'li',
      '',
      element('p', 'result-source', `${locationOf(hit.doc)} · ${formatScore(hit.score)}`),
      element('p', '', ...markedText(hit.text, words)),
    ),
  );
  return element(
    'details',
    'fold result-fold',
    element('summary', '', `${formatCount(others.length)} more like this`),
    element('ul', 'near-duplicates', ...items),
  );
}

/** `words` are the normalized words to mark. */
export function fullResultItem(
  hit: SearchHit,
  others: readonly SearchHit[],
  words: ReadonlySet<string>,
  explain: Explain,
): HTMLLIElement {
  const item = resultItem(hit);
  item.querySelector('.result-source')?.replaceChildren(locationOf(hit.doc));
  item.querySelector('.result-text')?.replaceChildren(...markedText(hit.text, words));
  if (hit.terms !== undefined) {
    item
      .querySelector('.result-score')
      ?.setAttribute(
        'title',
        `Score of meaning and words. Meaning alone: ${formatScore(hit.cosine)}`,
      );
  }
  item.append(explanationFold(hit, explain));
  if (others.length > 0) {
    item.append(nearDuplicatesFold(others, words));
  }
  return item;
}
