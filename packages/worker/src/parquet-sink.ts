// Vectors in a folder of Parquet files, one for each job. A job that runs again replaces its own file.
import { createHash } from 'node:crypto';
import { access, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { checkModel } from './postgres-sink.ts';
import type { EmbeddedPassage, EmbedJob, ModelMark, Passage, Sink } from './types.ts';

const markName = 'ambry-model.json';

export class ParquetSink implements Sink {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async prepare(mark: ModelMark): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const path = join(this.folder, markName);
    try {
      await writeFile(path, `${JSON.stringify(mark)}\n`, { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    checkModel(this.folder, JSON.parse(await readFile(path, 'utf8')), mark.sha256);
  }

  async missing(jobId: string, job: EmbedJob): Promise<readonly Passage[]> {
    const isThere = await access(this.#partPath(jobId, job)).then(
      () => true,
      () => false,
    );
    return isThere ? [] : job.passages;
  }

  async write(jobId: string, job: EmbedJob, passages: readonly EmbeddedPassage[]): Promise<void> {
    if (passages.length === 0) return;
    const unique = [...new Map(passages.map((one) => [one.key, one])).values()];
    const path = this.#partPath(jobId, job);
    // Two workers that have the same job write to different names.
    const temporary = `${path}.${process.pid}-${createHash('sha256').update(`${Math.random()}`).digest('hex').slice(0, 8)}.tmp`;
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(new Uint8Array(partBytes(unique)));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    const folder = await open(this.folder, 'r');
    await folder.sync().finally(() => folder.close());
  }

  async close(): Promise<void> {}

  #partPath(jobId: string, { round }: EmbedJob): string {
    return join(this.folder, `part-${jobId}-${round}.parquet`);
  }
}

/** The columns `key`, `text` and `vector`, a list of 32-bit floats. */
function partBytes(passages: readonly EmbeddedPassage[]): ArrayBuffer {
  return parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 3 },
      { name: 'key', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      { name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      { name: 'vector', repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
    ],
    columnData: [
      { name: 'key', data: passages.map(({ key }) => key) },
      { name: 'text', data: passages.map(({ text }) => text) },
      { name: 'vector', data: passages.map(({ vector }) => Array.from(vector)) },
    ],
  });
}
