// Embeds passages for an index with several workers, and caches the vectors if `keep` is set. Browsers fetch this
// file with the first such call.

import { embedParts, embedShares } from '../encoder/pool/embed-pool.ts';
import type { Embedder, EmbedSettings } from '../model/embedding.ts';
import type { Doc, IndexOptions } from './base/types.ts';
import { KeptVectorsClient } from './kept-vectors/client.ts';

type Rows = Float32Array<ArrayBuffer>;

/** Rows of one piece of the result, and texts of one lookup in the kept vectors. */
const pieceRows = 1024;

export async function embedDocs(
  model: Embedder,
  docs: readonly Doc[],
  { prompt, keep, ...options }: IndexOptions,
): Promise<Rows[]> {
  const texts = docs.map((doc) => doc.text);
  const settings = { normalize: true, ...(prompt !== undefined && { prompt }) };
  if (keep === undefined) {
    const parts = await embedParts(model, { texts, settings }, options);
    return parts.map(({ vectors }) => vectors);
  }
  const keeper = await KeptVectorsClient.open(model, keep, prompt ?? null);
  try {
    return await embedKept(model, texts, settings, keeper, options);
  } finally {
    await keeper.close();
  }
}

/** Embeds the texts without a kept vector, and keeps their vectors. */
async function embedKept(
  model: Embedder,
  texts: readonly string[],
  settings: EmbedSettings,
  keeper: KeptVectorsClient,
  { workers, signal, onProgress }: IndexOptions,
): Promise<Rows[]> {
  const total = texts.length;
  const pieces = new Pieces(total);
  const missing: number[] = [];
  const report = (embedded: number, asked: number, note?: string) => {
    const cached = asked - missing.length;
    const loaded = cached + embedded;
    onProgress?.({ phase: 'embed', loaded, total, cached, note: keeper.note ?? note });
  };
  for (let at = 0; at < total; at += pieceRows) {
    const end = Math.min(at + pieceRows, total);
    const kept = await keeper.find(texts.slice(at, end), signal);
    for (let i = at; i < end; i++) {
      if (kept?.found[i - at]) {
        pieces.set(i, rowOf(kept.rows, i - at, end - at));
      } else {
        missing.push(i);
      }
    }
    report(0, end);
  }
  const lacking = missing.map((i) => texts[i] as string);
  await embedShares(
    model,
    { texts: lacking, settings },
    {
      workers,
      ...(signal && { signal }),
      onProgress: ({ loaded, note }) => report(loaded, total, note),
      onItem: async ({ begin, end }, { vectors }) => {
        for (let i = begin; i < end; i++) {
          pieces.set(missing[i] as number, rowOf(vectors, i - begin, end - begin));
        }
        await keeper.keep(lacking.slice(begin, end), vectors);
      },
    },
  );
  report(lacking.length, total);
  return pieces.all;
}

/** One row of `count` rows. */
function rowOf(rows: Float32Array, row: number, count: number): Float32Array {
  const dim = rows.length / count;
  return rows.subarray(row * dim, (row + 1) * dim);
}

/** Collects rows that arrive in any order, in pieces that are small enough to transfer. */
class Pieces {
  readonly all: Rows[] = [];
  readonly #rows: number;

  constructor(rows: number) {
    this.#rows = rows;
  }

  set(row: number, numbers: Float32Array): void {
    const number = Math.floor(row / pieceRows);
    const rows = Math.min(pieceRows, this.#rows - number * pieceRows);
    this.all[number] ??= new Float32Array(rows * numbers.length);
    this.all[number].set(numbers, (row % pieceRows) * numbers.length);
  }
}
