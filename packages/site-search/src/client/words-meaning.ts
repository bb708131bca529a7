// The vector of a query from those of its words, without a model.
import { type Language, languageOf } from '../shared/stems.ts';
import { queryTerms } from '../shared/terms.ts';
import { addRow, sizeOf, type WordRow } from '../shared/word-rows.ts';
import type { Snapshot } from './files/snapshot.ts';
import type { Meaning, QueryVector } from './meaning.ts';
import { longestRow } from './words/listed-words.ts';

/** A word that is not listed has the vector of the longest listed one with which it begins, if that has so many letters. */
const leastBeginning = 4;
/** What a word that nobody knows would say, as a share of the largest size of a word. */
const usualSize = 0.35;

export const meaningOfWords: Meaning = { vectorOf, encoder: undefined };

async function vectorOf(snapshot: Snapshot, query: string): Promise<QueryVector | undefined> {
  const { little } = snapshot.manifest.words;
  const languages = await Promise.all(Object.keys(little).map(languageOf));
  const words = [...new Set(queryTerms(query).map(({ word }) => word))];
  const isLittle = (word: string) =>
    languages.some(({ code, fold }) => little[code]?.includes(fold(word)));
  // Function words say little, so their chunks are not fetched.
  const telling = words.filter((word) => !isLittle(word));
  const asked = telling.length > 0 ? telling : words;
  const found = await Promise.all(asked.map((word) => rowOf(snapshot, word, languages)));
  const sum = new Float32Array(snapshot.vectors.dim);
  let [known, missing] = [0, 0];
  for (const row of found) {
    if (row) {
      addRow(sum, row);
      known += sizeOf(row);
    } else {
      missing += usualSize;
    }
  }
  const length = Math.hypot(...sum);
  const vector = sum.map((value) => value / length);
  return length > 0 ? { vector, hasWords: known >= missing } : undefined;
}

/** Undefined if the word has no vector in any language of the site. */
async function rowOf(
  snapshot: Snapshot,
  word: string,
  languages: readonly Language[],
): Promise<WordRow | undefined> {
  const forms = new Set(languages.map(({ fold }) => fold(word)));
  const rows = await Promise.all([...forms].map((form) => listedRow(snapshot, form)));
  return rows.find((row) => row !== undefined);
}

async function listedRow(snapshot: Snapshot, word: string): Promise<WordRow | undefined> {
  const longest = await longestRow(snapshot, word);
  const least = Math.max(leastBeginning, word.length / 2);
  return longest && (longest.word === word || longest.word.length >= least) ? longest : undefined;
}
