// Embeds a batch so that a bad passage does not spoil its neighbours.
import { AmbryError, messageOf } from './ambry-errors.ts';
import type { EmbeddedPassage, Passage } from './types.ts';

export interface BadPassage {
  readonly passage: Passage;
  readonly reason: string;
}

export interface EmbeddedBatch {
  readonly good: readonly EmbeddedPassage[];
  readonly bad: readonly BadPassage[];
}

/** Returns the vectors of all texts, one after the other. The path of an error is `texts[i]` if text i is at fault. */
export type EmbedTexts = (texts: readonly string[]) => Promise<Float32Array>;

/** An error without the index of a text halves the batch until the text is found. A model that died, or an abort, is
 *  thrown. */
export async function embedApart(
  embed: EmbedTexts,
  passages: readonly Passage[],
): Promise<EmbeddedBatch> {
  if (passages.length === 0) return { good: [], bad: [] };
  let vectors: Float32Array;
  try {
    vectors = await embed(passages.map(({ text }) => text));
  } catch (error) {
    if (!(error instanceof AmbryError) || error.code === 'Crashed') throw error;
    return withoutBad(embed, passages, error);
  }
  const dim = vectors.length / passages.length;
  const all = passages.map((passage, i) => ({
    ...passage,
    vector: vectors.subarray(i * dim, (i + 1) * dim),
  }));
  const isGood = ({ vector }: EmbeddedPassage) =>
    vector.every(Number.isFinite) && vector.some((value) => value !== 0);
  return {
    good: all.filter(isGood),
    bad: all
      .filter((one) => !isGood(one))
      .map(({ key, text }) => ({
        passage: { key, text },
        reason: 'NotFound: The model has no vector for this text (all its values are zero).',
      })),
  };
}

async function withoutBad(
  embed: EmbedTexts,
  passages: readonly Passage[],
  error: AmbryError,
): Promise<EmbeddedBatch> {
  const at = /^texts\[(\d+)\]$/.exec(error.path ?? '')?.[1];
  const index = at === undefined ? (passages.length === 1 ? 0 : undefined) : Number(at);
  if (index !== undefined) {
    const passage = passages[index] as Passage;
    const reason = `${error.code}: ${messageOf(error)}`;
    const rest = await embedApart(embed, passages.toSpliced(index, 1));
    return { good: rest.good, bad: [{ passage, reason }, ...rest.bad] };
  }
  const middle = passages.length >> 1;
  const left = await embedApart(embed, passages.slice(0, middle));
  const right = await embedApart(embed, passages.slice(middle));
  return { good: [...left.good, ...right.good], bad: [...left.bad, ...right.bad] };
}
