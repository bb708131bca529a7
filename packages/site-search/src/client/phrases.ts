// Phrases in quotation marks: words that must stand one after another.
import type { PartText } from '../shared/part-text.ts';
import { plainLetters, queryWords, wordsOf } from '../shared/terms.ts';

const quoted = /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»/gu;
/** Pages whose texts are read to find a phrase. */
export const pagesReadForPhrases = 40;

/** The words of each phrase of a query: `"reference cycle" in Rust` has one of two words. */
export function phrasesOf(query: string): string[][] {
  return [...query.matchAll(quoted)]
    .map((match) =>
      queryWords(match.slice(1).find(Boolean) ?? '').map(({ word }) => plainLetters(word)),
    )
    .filter((words) => words.length > 0);
}

/** Whether the title, a heading or a passage of one of the parts has each phrase. */
export function havePhrases(
  parts: readonly { readonly text: PartText }[],
  phrases: readonly (readonly string[])[],
): boolean {
  // Most queries have no phrase, and the words of all texts would be read for nothing.
  if (phrases.length === 0) {
    return true;
  }
  const texts = parts.flatMap(({ text: { title, sections } }) => [
    title,
    ...sections.flatMap(({ heading, text }) => [heading, text]),
  ]);
  const words = texts.map((text) => wordsOf(text).map(({ word }) => plainLetters(word)));
  return phrases.every((phrase) => words.some((all) => hasInOrder(all, phrase)));
}

function hasInOrder(all: readonly string[], phrase: readonly string[]): boolean {
  return all.some((_, at) => phrase.every((word, i) => all[at + i] === word));
}
