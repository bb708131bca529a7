// Vectors in a folder of Parquet files, one for each job.
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { AmbryError, messageOf, OutageError } from './failure.ts';
import { checkMark } from './model-mark.ts';
import {
  type EmbeddedPassage,
  type ModelMark,
  type Passage,
  type Sink,
  uniqueByKey,
} from './types.ts';
import { isSparse } from './vectors.ts';

const markName = 'ambry-model.json';
const corpusName = 'ambry-corpus.json';
/** The disk is full, or a network disk does not answer. */
const passingCodes = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'ESTALE', 'ETIMEDOUT']);

type Numbers = readonly number[];
type Row = Passage &
  ({ readonly vector: Numbers } | { readonly ids: Numbers; readonly weights: Numbers });

export class ParquetSink implements Sink {
  readonly folder: string;

  /** @param folder All machines must see it at the same path, as on a network disk. */
  constructor(folder: string) {
    this.folder = folder;
  }

  prepare(mark: ModelMark): Promise<void> {
    return this.#explaining(async () => {
      await mkdir(this.folder, { recursive: true });
      checkMark(this.folder, await this.#claim(markName, mark), mark.sha256);
    });
  }

  mark(): Promise<ModelMark> {
    return this.#explaining(async () => {
      const text = await readFile(join(this.folder, markName), 'utf8').catch((cause) => {
        if (cause.code !== 'ENOENT') {
          throw cause;
        }
        const message = `"${this.folder}" has no vectors. Run "ambry-worker enqueue" first.`;
        throw new AmbryError('NotFound', message, { path: '--to', cause });
      });
      return JSON.parse(text) as ModelMark;
    });
  }

  claimCorpus(id: string): Promise<void> {
    return this.#explaining(async () => {
      const { corpus } = await this.#claim(corpusName, { corpus: id });
      if (corpus === id) {
        return;
      }
      const message = `"${this.folder}" has vectors of another corpus, or of the same one with another --job-size. Its passages would be there twice. Give another folder.`;
      throw new AmbryError('Mismatch', message, { path: '--to' });
    });
  }

  missing(jobId: string, passages: readonly Passage[]): Promise<readonly Passage[]> {
    return this.#explaining(async () => {
      const rows = await this.#rows(jobId, ['key']);
      const done = new Set(rows.map(({ key }) => key));
      return passages.filter(({ key }) => !done.has(key));
    });
  }

  /** Replaces the file of the job by one that has these passages too. */
  write(jobId: string, passages: readonly EmbeddedPassage[]): Promise<void> {
    return this.#explaining(async () => {
      const before = await this.#rows(jobId);
      const added = passages.map(rowOf);
      await this.#replace(this.#partPath(jobId), partBytes(uniqueByKey([...before, ...added])));
    });
  }

  async close(): Promise<void> {}

  #partPath(jobId: string): string {
    return join(this.folder, `part-${jobId}.parquet`);
  }

  async #rows(jobId: string, columns?: string[]): Promise<Row[]> {
    const path = this.#partPath(jobId);
    try {
      const file = await asyncBufferFromFile(path);
      return (await parquetReadObjects({ file, ...(columns && { columns }) })) as Row[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return [];
      }
      throw error;
    }
  }

  /** Writes a small JSON file unless there is one. Returns what it holds. */
  async #claim<T>(name: string, value: T): Promise<T> {
    const path = join(this.folder, name);
    const temporary = await this.#writeTemporary(path, Buffer.from(`${JSON.stringify(value)}\n`));
    try {
      await link(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    } finally {
      await rm(temporary);
    }
    return JSON.parse(await readFile(path, 'utf8')) as T;
  }

  async #replace(path: string, bytes: Uint8Array): Promise<void> {
    await rename(await this.#writeTemporary(path, bytes), path);
    const folder = await open(this.folder, 'r');
    await folder.sync().finally(() => folder.close());
  }

  /** Two workers that have the same job write to different names. */
  async #writeTemporary(path: string, bytes: Uint8Array): Promise<string> {
    const temporary = `${path}.${randomUUID()}.tmp`;
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return temporary;
  }

  async #explaining<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      const { code, syscall } = cause as NodeJS.ErrnoException;
      if (cause instanceof AmbryError || syscall === undefined) {
        throw cause;
      }
      const message = `Cannot write to ${this.folder}: ${messageOf(cause)}.`;
      if (code !== undefined && passingCodes.has(code)) {
        throw new OutageError(message, '--to', cause);
      }
      throw new AmbryError('NotFound', message, { path: '--to', cause });
    }
  }
}

function rowOf({ key, text, vector }: EmbeddedPassage): Row {
  return isSparse(vector)
    ? { key, text, ids: Array.from(vector.ids), weights: Array.from(vector.weights) }
    : { key, text, vector: Array.from(vector) };
}

/** A column with a list of numbers. */
const listColumn = (name: string, type: 'FLOAT' | 'INT32') =>
  [
    { name, repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type, repetition_type: 'REQUIRED' },
  ] as const;

/** The columns `key`, `text` and `vector`, a list of 32-bit floats. In place of `vector`, sparse vectors have `ids`, the largest
 *  weight first, and `weights`. */
function partBytes(rows: readonly Row[]): Uint8Array {
  const lists =
    rows[0] && 'ids' in rows[0]
      ? ([
          ['ids', 'INT32'],
          ['weights', 'FLOAT'],
        ] as const)
      : ([['vector', 'FLOAT']] as const);
  const bytes = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 2 + lists.length },
      { name: 'key', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      { name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      ...lists.flatMap(([name, type]) => listColumn(name, type)),
    ],
    columnData: ['key', 'text', ...lists.map(([name]) => name)].map((name) => ({
      name,
      data: rows.map((row) => row[name as keyof Row]),
    })),
  });
  return new Uint8Array(bytes);
}
