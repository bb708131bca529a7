// A query as the words of the passages: each as it is typed, or as the passages have it.
import { type LanguageWords, queryWords } from './language-words.ts';
import { begunWord, knownWord, likeWord, nearWord, type TypedWord } from './word-lookup.ts';
import type { WantedWord } from './word-table.ts';

/** The query in one language. */
export interface LanguageQuery {
  readonly words: LanguageWords;
  readonly wanted: readonly WantedWord[];
  /** The stems in their order, for pairs of words that stand side by side, such as `turn off`. */
  readonly stems: readonly string[];
}

export interface ReadQuery {
  readonly queries: readonly LanguageQuery[];
  /** By the word as it is typed. */
  readonly corrections: ReadonlyMap<string, string>;
  /** The query with these words in the place of those that no passage has. */
  readonly corrected: string;
}

/** Words in `whole` are words, and no misspelled ones: they stay as they are. */
export function readQuery(
  query: string,
  languages: readonly LanguageWords[],
  whole: ReadonlySet<string> = new Set(),
): ReadQuery {
  const typed = typedWords(query);
  const known = languages.map((words) => typed.map((one) => knownWord(words, one)));
  const begun = languages.map((words) => typed.map((one) => begunWord(words, one)));
  const corrections = new Map<string, string>();
  const queries = languages.map((words, l): LanguageQuery => {
    const wanted = typed.flatMap((one, i): readonly WantedWord[] => {
      const own = known[l]?.[i];
      const likely = begun[l]?.[i];
      const isElsewhere =
        known.some((all) => all[i]) || begun.some((all) => (all[i]?.stems.size ?? 0) > 0);
      if (own || !likely || isElsewhere) {
        return own ?? (likely ? [likely] : []);
      }
      const near = whole.has(one.word) ? undefined : nearWord(words, one.word);
      if (!near) {
        return [likely];
      }
      if (near.form !== words.foldOf(one.word)) {
        corrections.set(one.word, near.form);
      }
      return [likeWord(one.word, near)];
    });
    const stems = queryWords(query).map(words.stemOf);
    return { words, wanted: weighed(words, typed, wanted), stems };
  });
  return { queries, corrections, corrected: corrected(query, corrections) };
}

/** Each word once. The last one may be incomplete, unless something follows it. */
function typedWords(query: string): TypedWord[] {
  const words = queryWords(query);
  const last = query.normalize('NFKC').endsWith(words.at(-1) ?? '') ? words.at(-1) : undefined;
  return [...new Set(words)].map((word) => ({ word, isOpen: word === last }));
}

/** Function words count little where the query has other words. */
function weighed(
  words: LanguageWords,
  typed: readonly TypedWord[],
  wanted: readonly WantedWord[],
): WantedWord[] {
  const hasOthers = typed.some(({ word }) => !words.isFunctionWord(word));
  const seen = new Set<string>();
  const once = wanted.filter(({ stems }) => {
    const key = `${[...stems.keys()]}`;
    const isNew = key === '' || !seen.has(key);
    seen.add(key);
    return isNew;
  });
  return once.map((one) => ({ ...one, isLight: hasOthers && words.isFunctionWord(one.word) }));
}

/** The query with other words in the place of some. */
export function corrected(query: string, corrections: ReadonlyMap<string, string>): string {
  return query.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => corrections.get(word) ?? word);
}
