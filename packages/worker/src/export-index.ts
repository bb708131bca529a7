// Writes the vectors of a table to an index file that `openIndex` of `ambry` reads.
import { rename, writeFile } from 'node:fs/promises';
import { createIndex, type Doc, type SparseEncoder } from 'ambry';
import type { Embedder } from './model.ts';
import type { PostgresSink } from './postgres-sink.ts';
import { sparseVectorIn } from './vectors.ts';

const rowsAtATime = 1000;

interface Row {
  readonly key: string;
  readonly text: string;
  readonly vector: string;
}

/** Returns the number of passages. The index is in memory until it is written. Texts are not embedded again. */
export async function exportIndex(
  sink: PostgresSink,
  model: Embedder,
  file: string,
  options: { readonly model?: string; readonly vectors?: 'int8' | 'f32' } = {},
): Promise<number> {
  const { given, embedder } =
    model.kind === 'sparseEncoder' ? givenSparse(model) : givenVectors(model);
  const { vectors = 'int8' } = options;
  const index = await createIndex(embedder, [], model.kind === 'sparseEncoder' ? {} : { vectors });
  try {
    for await (const rows of pages(sink)) {
      const docs: Doc[] = rows.map(({ key, text }) => ({ id: key, text }));
      given.push(rows.map(({ vector }) => vector));
      await index.add(docs);
    }
    const blob = await index.save(options.model === undefined ? {} : { model: options.model });
    const temporary = `${file}.${process.pid}.tmp`;
    await writeFile(temporary, new Uint8Array(await blob.arrayBuffer()));
    await rename(temporary, file);
    return index.size;
  } finally {
    await index.dispose();
  }
}

/** A model that takes the vectors of passages from a list, which an index wants as one matrix. It embeds a single text itself: the index keeps one, to
 *  recognize the model. */
function givenVectors(model: Exclude<Embedder, SparseEncoder>): GivenVectors {
  const given = new GivenTexts();
  const embed = async (texts: string | readonly string[], options?: object) => {
    if (typeof texts === 'string') {
      return model.embed(texts, options);
    }
    const rows = given.take(texts.length);
    const all = new Float32Array(rows.length * model.dim);
    rows.forEach((row, i) => {
      all.set(JSON.parse(row) as number[], i * model.dim);
    });
    return all;
  };
  return { given, embedder: withMethod(model, 'embed', embed) };
}

/** A sparse encoder that takes the vectors of passages so. */
function givenSparse(model: SparseEncoder): GivenVectors {
  const given = new GivenTexts();
  const embedSparse = async (texts: string | readonly string[], options?: object) =>
    typeof texts === 'string'
      ? model.embedSparse(texts, options)
      : given.take(texts.length).map(sparseVectorIn);
  return { given, embedder: withMethod(model, 'embedSparse', embedSparse) };
}

interface GivenVectors {
  readonly given: GivenTexts;
  readonly embedder: Embedder;
}

/** Vectors as texts of the database, which are taken in their order. */
class GivenTexts {
  #texts: string[] = [];

  push(texts: readonly string[]): void {
    this.#texts.push(...texts);
  }

  take(count: number): string[] {
    return this.#texts.splice(0, count);
  }
}

function withMethod<M extends object>(model: M, method: keyof M, replacement: unknown): M {
  return new Proxy(model, {
    get: (target, name) => (name === method ? replacement : Reflect.get(target, name, target)),
  });
}

async function* pages(sink: PostgresSink): AsyncGenerator<readonly Row[]> {
  for (let after = ''; ; ) {
    const { rows } = await sink.query<Row>(
      `SELECT key, text, vector::text AS vector FROM ${sink.sqlTable} WHERE key > $1 ORDER BY key LIMIT ${rowsAtATime}`,
      [after],
    );
    if (rows.length > 0) {
      yield rows;
    }
    if (rows.length < rowsAtATime) {
      return;
    }
    after = (rows.at(-1) as Row).key;
  }
}
