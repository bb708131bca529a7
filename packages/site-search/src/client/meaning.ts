// What gives queries their vectors: a model, or vectors of words (words-meaning.ts).
import type { Encoder } from 'ambry/static-encoder';
import type { Snapshot } from './files/snapshot.ts';
import { readableText } from './readable-text.ts';

export interface QueryVector {
  /** A row of the index's length, of length 1. */
  readonly vector: Float32Array;
  /** Whether most of the query is words that are known. */
  readonly hasWords: boolean;
}

export interface Meaning {
  /** Undefined if nothing of the query is known. */
  readonly vectorOf: (snapshot: Snapshot, query: string) => Promise<QueryVector | undefined>;
  /** Gives passages their vectors. Without it, the codes of parts tell how near they are. */
  readonly encoder: Encoder | undefined;
}

export const meaningOfModel = (encoder: Encoder): Meaning => ({
  vectorOf: async ({ vectors }, query) => {
    const readable = await readableText(encoder, query);
    if (!readable) {
      return undefined;
    }
    const { text, hasWords } = readable;
    const { dim } = vectors;
    return { vector: await encoder.embed(text, { dim, normalize: true }), hasWords };
  },
  encoder,
});
