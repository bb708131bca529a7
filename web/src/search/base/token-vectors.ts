// The vectors of passages and queries of models with late interaction: one for each token. Browsers fetch this file with
// the first such index.
import { AmbryError } from '../../base/errors.ts';
import { tokenVectors } from '../../late-interaction/client.ts';
import type { Embedder } from '../../model/embedding.ts';
import type { RowPart } from './protocol.ts';
import type { Doc, IndexOptions } from './types.ts';

/** Each has as many vectors as tokens, and these are moved to the index in one piece. */
const docsAtATime = 128;

export async function embedDocTokens(
  model: Embedder,
  docs: readonly Doc[],
  { signal, onProgress, prompt, keep }: IndexOptions,
): Promise<RowPart[]> {
  if (keep !== undefined) {
    const message =
      'Vectors of a model with late interaction cannot be kept, because a passage has many.';
    throw new AmbryError('Unsupported', message, { path: 'options.keep' });
  }
  const parts: RowPart[] = [];
  for (let at = 0; at < docs.length; at += docsAtATime) {
    const texts = docs.slice(at, at + docsAtATime).map((doc) => doc.text);
    const { vectors, rowCounts } = await tokenVectors(model, texts, {
      ...(prompt !== undefined && { prompt }),
      ...(signal && { signal }),
      onProgress: (part) => onProgress?.({ ...part, loaded: at + part.loaded, total: docs.length }),
    });
    parts.push({ rows: vectors, lengths: rowCounts });
  }
  return parts;
}

/** The vectors of a query, one after another. */
export async function embedQueryTokens(
  model: Embedder,
  query: string,
  { prompt, signal }: { readonly prompt?: string; readonly signal?: AbortSignal | undefined },
): Promise<Float32Array> {
  const { vectors } = await tokenVectors(model, [query], {
    as: 'query',
    ...(prompt !== undefined && { prompt }),
    ...(signal && { signal }),
  });
  return vectors;
}
