// What a reader may have meant where nothing was found: the query with the nearest words of the site.
import { languageOf } from '../../shared/stems.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { correctedQuery } from './corrections.ts';
import { nearestWord } from './near-words.ts';

/** So many letters more may be wrong than in a word that is corrected at once. */
const moreEdits = 1;

/** Undefined if one of the words that no page has is not even near to a word of the site. */
export async function didYouMean(
  snapshot: Snapshot,
  query: string,
  unknown: readonly string[],
): Promise<string | undefined> {
  const codes = Object.keys(snapshot.manifest.words.parts);
  const languages = await Promise.all(codes.map(languageOf));
  const found = new Map<string, string>();
  for (const word of unknown) {
    const near = await Promise.all(
      languages.map(({ code, fold }) => nearestWord(snapshot, code, fold(word), moreEdits)),
    );
    const [best] = near
      .filter((one) => one !== undefined)
      .sort((a, b) => a.distance - b.distance || b.holders - a.holders);
    if (!best) {
      return undefined;
    }
    found.set(word, best.word);
  }
  return correctedQuery(query, found);
}
