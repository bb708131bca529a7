// The sparse vectors of passages and queries. Browsers fetch this file with the first index of a sparse encoder.
import { AmbryError } from '../../base/errors.ts';
import { textRoles } from '../../late-interaction/types.ts';
import { probeText } from '../../model/probe.ts';
import type { JobOptions } from '../../rpc/types.ts';
import type { SparseEncoder } from '../../sparse-encoder/client.ts';
import type { SparseVector } from '../../sparse-encoder/types.ts';
import type { RowPart } from './protocol.ts';
import type { Doc, IndexOptions, SearchOptions } from './types.ts';

const docsAtATime = 1024;
/** The words of the probe are put into so many numbers, so that the file need not name them. */
const probeNumbers = 256;

/** Ids and weights, one after the other, of all vectors. */
function pairsOf(vectors: readonly SparseVector[]): Float32Array<ArrayBuffer> {
  const count = vectors.reduce((sum, { ids }) => sum + ids.length, 0);
  const pairs = new Float32Array(2 * count);
  let at = 0;
  for (const { ids, weights } of vectors) {
    for (const [i, id] of ids.entries()) {
      pairs[at++] = id;
      pairs[at++] = weights[i] as number;
    }
  }
  return pairs;
}

export async function embedDocsSparse(
  model: SparseEncoder,
  docs: readonly Doc[],
  { signal, onProgress }: JobOptions,
): Promise<RowPart[]> {
  const parts: RowPart[] = [];
  for (let at = 0; at < docs.length; at += docsAtATime) {
    const texts = docs.slice(at, at + docsAtATime).map((doc) => doc.text);
    const vectors = await model.embedSparse(texts, {
      ...(signal && { signal }),
      onProgress: (part) => onProgress?.({ ...part, loaded: at + part.loaded, total: docs.length }),
    });
    const lengths = Uint32Array.from(vectors, ({ ids }) => ids.length);
    parts.push({ rows: pairsOf(vectors), lengths, sparse: true });
  }
  return parts;
}

/** The vectors of `embedOthers`, and then sparse ones. The progress of both is one. */
export async function embedBoth(
  model: SparseEncoder,
  docs: readonly Doc[],
  options: IndexOptions,
  embedOthers: (options: IndexOptions) => Promise<RowPart[]>,
): Promise<RowPart[]> {
  refuseForSparse(options, false);
  const half = (before: number): IndexOptions => ({
    ...options,
    onProgress: (part) =>
      options.onProgress?.({ ...part, loaded: before + part.loaded, total: 2 * docs.length }),
  });
  const others = await embedOthers(half(0));
  return [...others, ...(await embedDocsSparse(model, docs, half(docs.length)))];
}

export async function embedQuerySparse(
  model: SparseEncoder,
  query: string,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  return pairsOf([await model.embedSparse(query, { as: 'query', ...(signal && { signal }) })]);
}

/** What tells sparse encoders apart: the weights of one text as a document, and as a query where these are fixed. */
export async function sparseProbe(
  model: SparseEncoder,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const roles = textRoles.slice(0, model.hasFixedQueries ? 2 : 1);
  const probe = new Float32Array(probeNumbers * roles.length);
  for (const [role, as] of roles.entries()) {
    const options = { as, ...(signal && { signal }) };
    const { ids, weights } = await model.embedSparse(probeText, options);
    const length = Math.hypot(...weights) || 1;
    for (const [i, id] of ids.entries()) {
      const at = role * probeNumbers + (id % probeNumbers);
      probe[at] = (probe[at] as number) + (weights[i] as number) / length;
    }
  }
  return probe;
}

/** Options that mean nothing for sparse vectors. */
const refusals = {
  keep: 'Vectors of a sparse encoder cannot be kept, because they have no fixed length.',
  prompt: 'A sparse encoder puts its own prompts before texts.',
  vectors: 'Weights of a sparse encoder are kept as floats.',
  sparse: 'The model is a sparse encoder already. To have both, give an encoder as the model.',
};

/** Throws `Unsupported` at the first option that means nothing: in an index of sparse vectors alone, or for those beside
 *  others. */
export function refuseForSparse(options: IndexOptions | SearchOptions, alone: boolean): void {
  for (const [name, message] of Object.entries(refusals)) {
    if ((alone || name === 'keep') && options[name as keyof typeof options] !== undefined) {
      throw new AmbryError('Unsupported', message, { path: `options.${name}` });
    }
  }
}
