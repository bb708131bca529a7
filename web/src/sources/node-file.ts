// A file of the local file system, in Node. Only node-worker.ts reaches this file.
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { AmbryError, isAbort, messageOf } from '../errors.ts';
import { blobSource } from './blob.ts';
import type { ByteSource, SourceOptions } from './byte-source.ts';
import { chunksOf, spool } from './stream.ts';

const chunkBytes = 1 << 20;

export async function openFile(path: string, options: SourceOptions): Promise<ByteSource> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw cannotOpen(path, error);
  });
  try {
    const facts = await handle.stat();
    if (facts.isDirectory()) throw isDirectory(path);
    if (facts.isFile()) return new FileSource(path, handle, facts.size, options.signal);
    return await spoolPipe(path, handle, options);
  } catch (error) {
    await handle.close().catch(() => {});
    throw error;
  }
}

/** A pipe or a device has no size to go by and cannot be read twice. */
async function spoolPipe(
  path: string,
  handle: FileHandle,
  options: SourceOptions,
): Promise<ByteSource> {
  try {
    const stream = Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array>;
    return blobSource(
      await spool(chunksOf(stream, options.signal), options.onSpool),
      options.signal,
    );
  } catch (error) {
    throw isAbort(error) ? error : cannotRead(path, error);
  }
}

class FileSource implements ByteSource {
  readonly phase = 'load';
  readonly seekable = true;
  readonly size: number;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #signal: AbortSignal;

  constructor(path: string, handle: FileHandle, size: number, signal: AbortSignal) {
    this.#path = path;
    this.#handle = handle;
    this.size = size;
    this.#signal = signal;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    this.#signal.throwIfAborted();
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      const got = await this.#handle.read(bytes, at, length - at, offset + at).catch((error) => {
        throw cannotRead(this.#path, error);
      });
      if (got.bytesRead === 0) {
        const message = `The file became shorter while it was read: ${this.#path}`;
        throw new AmbryError('Truncated', message, { byteOffset: offset + at });
      }
      at += got.bytesRead;
    }
    return bytes;
  }

  async *stream(begin: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = begin; at < end; at += chunkBytes) {
      yield await this.read(at, Math.min(chunkBytes, end - at));
    }
  }

  measure(): Promise<number> {
    return Promise.resolve(this.size);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

function isDirectory(path: string): AmbryError {
  const message = `A directory, where a file is wanted: ${path}. A Hugging Face directory becomes one with: ambry convert ${path} model.weights`;
  return new AmbryError('NotFound', message);
}

function cannotOpen(path: string, error: NodeJS.ErrnoException): AmbryError {
  if (error.code === 'EISDIR') return isDirectory(path);
  if (error.code === 'ENOENT') return new AmbryError('NotFound', `No such file: ${path}`);
  return cannotRead(path, error);
}

function cannotRead(path: string, cause: unknown): AmbryError {
  return new AmbryError('NotFound', `Cannot read ${path}: ${messageOf(cause)}`, { cause });
}
