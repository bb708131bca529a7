// The model of a worker and its SHA-256, by which all workers of a queue are held to the same model.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AmbryError,
  type EmbedVectorsOptions,
  type Encoder,
  open,
  type SparseEncoder,
  type WordVectors,
} from 'ambry';
import type { ModelMark } from './types.ts';
import type { Vector } from './vectors.ts';

export type Embedder = Encoder | SparseEncoder | WordVectors;

/** What of a model is the same for all vectors of a place. A sparse encoder takes no prompt: it has its own. */
export function factsOf(model: Embedder, prompt?: unknown): Pick<ModelMark, 'dim' | 'sparse'> {
  if (model.kind !== 'sparseEncoder') {
    return { dim: model.dim };
  }
  if (prompt !== undefined) {
    const message = 'A sparse encoder puts its own prompts before texts. Leave out --prompt.';
    throw new AmbryError('Unsupported', message, { path: '--prompt' });
  }
  return { dim: model.dimensions, sparse: true };
}

/** The vector of each text. The prompt, which `factsOf` checks, does not matter to sparse encoders, and `as` only to them. */
export async function embedTexts(
  model: Embedder,
  texts: readonly string[],
  options: EmbedVectorsOptions,
  as: 'query' | 'document' = 'document',
): Promise<Vector[]> {
  if (model.kind !== 'sparseEncoder') {
    return model.embed(texts, options);
  }
  const { truncate } = options;
  return model.embedSparse(texts, { as, ...(truncate && { truncate }) });
}

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

/** Opens a model that makes one vector of a text, dense or sparse. Refuses others. */
export async function openEmbedder(path: string): Promise<Embedder> {
  const model = await open(path);
  const isEmbedder = ['encoder', 'sparseEncoder', 'words'].includes(model.kind);
  if (isEmbedder && !(model as Embedder & { lateInteraction?: object }).lateInteraction) {
    return model as Embedder;
  }
  await model.dispose();
  const message = `${path} does not make one vector of a text. Give a sentence encoder, a sparse encoder or word vectors.`;
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

  factsFor(prompt: string | undefined): ReturnType<typeof factsOf> {
    return factsOf(this.#model, prompt);
  }

  /** Returns the vector of each text. Throws the crash after the model is open again. */
  async embed(texts: readonly string[], options: EmbedVectorsOptions): Promise<Vector[]> {
    try {
      return await embedTexts(this.#model, texts, options);
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
