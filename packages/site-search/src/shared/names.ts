// The names of pages and sections: their titles, headings and files. A query that is such a name finds its page first.
import { nameKey as keyOf } from 'ambry/terms';

export { wordsInside, wordsOfName } from 'ambry/terms';

/** What all ways to write these words as a name have in common. Undefined for what is no name. */
export const nameKey = (words: readonly string[]): string | undefined => keyOf(words.join(' '));
