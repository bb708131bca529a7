// Queries and documents as some models take them: no more than so many characters, and without white space around them.
import { AmbryError } from '../base/errors.ts';
import type { TextPair } from '../classification-head/types.ts';
import type { RerankerFacts } from './prompt-facts.ts';
import type { RelevanceOptions } from './types.ts';

// What Python's strip() takes away.
const space =
  '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const spaceBefore = new RegExp(`^${space}+`);
const oneSpace = new RegExp(space);

export function shortPairs(
  facts: RerankerFacts,
  pairs: readonly TextPair[],
  { truncate }: RelevanceOptions,
  list: string,
): readonly TextPair[] {
  const { max_query_characters: ofQuery, max_document_characters: ofDocument, trim } = facts;
  if (!ofQuery && !ofDocument && !trim) {
    return pairs;
  }
  return pairs.map(([query, document], i) => {
    const short = (text: string, what: string, most: number | undefined) => {
      const kept = most ? firstCharacters(text, most) : text;
      if (kept.length < text.length && truncate === 'error') {
        const message = `The ${what} has more than the ${most} characters that the model takes at most.`;
        throw new AmbryError('LimitExceeded', message, { path: `${list}[${i}]` });
      }
      return trim ? trimmed(kept) : kept;
    };
    return [short(query, 'query', ofQuery), short(document, 'document', ofDocument)];
  });
}

/** Characters are code points, as Python counts them. */
function firstCharacters(text: string, count: number): string {
  return text.length <= count
    ? text
    : Array.from(text.slice(0, 2 * count))
        .slice(0, count)
        .join('');
}

function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && oneSpace.test(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end).replace(spaceBefore, '');
}
