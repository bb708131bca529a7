// Writes the vectors of a table to an index file that `openIndex` of `ambry` reads.
import { rename, writeFile } from 'node:fs/promises';
import { createIndex, type Doc } from 'ambry';
import type { Embedder } from './model.ts';
import type { PostgresSink } from './postgres-sink.ts';

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
  const { vectors = 'int8' } = options;
  const { given, embedder } = givenVectors(model);
  const index = await createIndex(embedder, [], { vectors });
  try {
    for await (const rows of pages(sink)) {
      const docs: Doc[] = rows.map(({ key, text }) => ({ id: key, text }));
      given.push(...rows.map(({ vector }) => Float32Array.from(JSON.parse(vector) as number[])));
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
function givenVectors(model: Embedder): { given: Float32Array[]; embedder: Embedder } {
  const given: Float32Array[] = [];
  const embed = async (texts: string | readonly string[], options?: object) => {
    if (typeof texts === 'string') {
      return model.embed(texts, options);
    }
    const rows = given.splice(0, texts.length);
    const all = new Float32Array(rows.length * model.dim);
    rows.forEach((row, i) => {
      all.set(row, i * model.dim);
    });
    return all;
  };
  const embedder = new Proxy(model, {
    get: (target, name) => (name === 'embed' ? embed : Reflect.get(target, name, target)),
  });
  return { given, embedder };
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
