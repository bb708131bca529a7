// Embeds the words that readers may type.
import type { Encoder } from 'ambry/encoder';
import { meanSize, mostWordLetters, type WordRow, wordRow } from '../../shared/word-rows.ts';

/** Words that are embedded together. */
const batchWords = 4096;
/** A hieroglyph, which hardly any vocabulary has. */
const unknown = '\u{13000}';

/** A row for each word that the model knows. `pause` throws after an abort. */
export async function wordVectors(
  words: readonly string[],
  encoder: Encoder,
  dim: number,
  pause: () => Promise<void>,
): Promise<WordRow[]> {
  const known = words.filter((word) => word.length <= mostWordLetters);
  const [none] = await vectorsOf([unknown], encoder, dim);
  const vectors: Float32Array[] = [];
  for (let at = 0; at < known.length; at += batchWords) {
    await pause();
    vectors.push(...(await vectorsOf(known.slice(at, at + batchWords), encoder, dim)));
  }
  const most = vectors.reduce((size, vector) => Math.max(size, meanSize(vector)), 0);
  return known.flatMap((word, i) => {
    const vector = vectors[i] as Float32Array;
    return isMultiple(vector, none as Float32Array) ? [] : (wordRow(word, vector, most) ?? []);
  });
}

/** The sums of the vectors of each word's pieces. */
async function vectorsOf(
  words: readonly string[],
  encoder: Encoder,
  dim: number,
): Promise<Float32Array[]> {
  const means = await encoder.embed(words, { as: 'matrix', dim, normalize: false });
  const counts = await encoder.tokenCounts(words);
  return words.map((_, i) =>
    means.slice(i * dim, (i + 1) * dim).map((value) => value * (counts[i] as number)),
  );
}

/** Whether a word has unknown pieces only. */
function isMultiple(vector: Float32Array, unit: Float32Array): boolean {
  const at = unit.findIndex((value) => value !== 0);
  const factor = at < 0 ? 1 : (vector[at] as number) / (unit[at] as number);
  return vector.every((value, i) => Math.abs(value - factor * (unit[i] as number)) < 1e-6);
}
