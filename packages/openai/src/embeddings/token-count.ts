// How many tokens a model reads of texts.
import type { Encoder, Model, WordVectors } from 'ambry';

/** The tokens that the model reads: long texts are cut at its limit. */
export async function tokenCount(
  model: Pick<Encoder, 'tokenCounts' | 'info'> | WordVectors,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  if (!('tokenCounts' in model)) {
    return texts.reduce((sum, text) => sum + wordCount(text), 0);
  }
  const most = longestText(model);
  const counts = await model.tokenCounts(texts, {
    ...(signal && { signal }),
    ...(most > 0 && { most }),
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The most tokens that a model reads of a text; 0 where that is not stated. */
export function longestText({ info }: Pick<Model, 'info'>): number {
  return Number(info.config?.['maxSeqLength'] ?? 0);
}

/** Without a list of the words, which would be larger than the text. */
function wordCount(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/\S+/g)) {
    count++;
  }
  return count;
}
