// The model of a worker and its SHA-256, by which all workers of a queue are held to the same model.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AmbryError, type EmbedVectorsOptions, type Encoder, open, type WordVectors } from 'ambry';

export type Embedder = Encoder | WordVectors;

/** The SHA-256 of a model file. For a folder: that of its files' names and hashes in order. A prompt is
 *  part of it, because it changes all vectors. */
export async function modelHash(path: string, prompt?: string): Promise<string> {
  const hash = await pathHash(path);
  if (prompt === undefined) {
    return hash;
  }
  return createHash('sha256')
    .update(JSON.stringify([hash, prompt]))
    .digest('hex');
}

async function pathHash(path: string): Promise<string> {
  const info = await stat(path).catch((cause) => {
    const message = `There is no model ${path}. Give a file or a folder on this machine.`;
    throw new AmbryError('NotFound', message, { path: '--model', cause });
  });
  if (!info.isDirectory()) {
    return fileHash(path);
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const names = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  const hash = createHash('sha256');
  for (const name of names) {
    hash.update(`${await fileHash(name)} ${name.slice(path.length)}\n`);
  }
  return hash.digest('hex');
}

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Uint8Array);
  }
  return hash.digest('hex');
}

/** Opens a model that makes one vector of a text. Refuses others. */
export async function openEmbedder(path: string): Promise<Embedder> {
  const model = await open(path);
  const isEmbedder = model.kind === 'encoder' || model.kind === 'words';
  if (isEmbedder && !(model as Embedder & { lateInteraction?: object }).lateInteraction) {
    return model as Embedder;
  }
  await model.dispose();
  const message = `${path} does not make one vector of a text. Give a sentence encoder or word vectors.`;
  throw new AmbryError('Unsupported', message, { path: '--model' });
}

/** A model that is opened again after a crash, so that a text that crashes it can be told from its neighbours. */
export class ReopeningEmbedder implements AsyncDisposable {
  readonly #path: string;
  readonly #note: (line: string) => void;
  #model: Embedder;

  private constructor(path: string, note: (line: string) => void, model: Embedder) {
    this.#path = path;
    this.#note = note;
    this.#model = model;
  }

  static async open(path: string, note: (line: string) => void): Promise<ReopeningEmbedder> {
    return new ReopeningEmbedder(path, note, await openEmbedder(path));
  }

  /** The length of a vector. */
  get dim(): number {
    return this.#model.dim;
  }

  /** Returns the vector of each text. Throws the crash after the model is open again. */
  async embed(texts: readonly string[], options: EmbedVectorsOptions): Promise<Float32Array[]> {
    try {
      return await this.#model.embed(texts, options);
    } catch (error) {
      if ((error as { code?: string }).code === 'Crashed') {
        this.#note(`The model crashed with ${texts.length} texts and is opened again.`);
        await this.#model.dispose();
        this.#model = await openEmbedder(this.#path);
      }
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#model.dispose();
  }
}
