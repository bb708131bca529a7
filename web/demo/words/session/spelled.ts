// Finds how the list of words writes a word: many lists have small letters only, and others write names with a large one.

import type { WordExplanation, WordVectors } from 'ambry';

/** The word with small letters, and with a large first one. */
function otherCases(word: string): string[] {
  const small = word.toLowerCase();
  const [first = ''] = small;
  const cases = [small, first.toUpperCase() + small.slice(first.length)];
  return cases.filter((one) => one !== word);
}

/** What is known of the word, as it is written or in other cases. */
export async function explainSpelled(
  model: Pick<WordVectors, 'explain'>,
  word: string,
): Promise<WordExplanation> {
  const own = await model.explain(word);
  if (own.found === 'known' || word.trim() === '') {
    return own;
  }
  for (const other of otherCases(word)) {
    const explanation = await model.explain(other);
    if (explanation.found === 'known') {
      return explanation;
    }
  }
  return own;
}
