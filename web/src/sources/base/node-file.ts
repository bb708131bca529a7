// A file of the local file system, in Node. Only node-worker.ts reaches this file.
import { constants, openSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { AmbryError, isAbort, messageOf } from '../../base/errors.ts';
import { blobSource } from './blob.ts';
import type { ByteSource, SourceOptions } from './byte-source.ts';
import { chunksOf, spool } from './stream.ts';

const chunkBytes = 1 << 20;

export async function openFile(path: string, options: SourceOptions): Promise<ByteSource> {
  const failed = (error: NodeJS.ErrnoException): never => {
    throw cannotOpen(path, error);
  };
  if ((await stat(path).catch(failed)).isFIFO()) {
    return spoolPipe(path, options);
  }
  const handle = await open(path, 'r').catch(failed);
  try {
    const facts = await handle.stat();
    if (facts.isDirectory()) {
      throw isDirectory(path);
    }
    if (facts.isFile()) {
      return new FileSource(path, handle, facts.size, options.signal);
    }
    return await spoolStream(path, handle.createReadStream(), options);
  } catch (error) {
    await handle.close().catch(() => {});
    throw error;
  }
}

/** An open call that blocks until a process writes to the pipe could not be stopped, nor could the worker be ended. */
async function spoolPipe(path: string, options: SourceOptions): Promise<ByteSource> {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw cannotRead(path, error);
  }
  return spoolStream(path, new Socket({ fd, readable: true, writable: false }), options);
}

/** A pipe or a device has no size and cannot be read twice. */
async function spoolStream(
  path: string,
  stream: Readable,
  { signal, onSpool }: SourceOptions,
): Promise<ByteSource> {
  try {
    const bytes = Readable.toWeb(stream) as ReadableStream<Uint8Array>;
    return blobSource(await spool(chunksOf(bytes, signal), onSpool), signal);
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
  const message = `A directory, where a file is wanted: ${path}. Name a file in it.`;
  return new AmbryError('NotFound', message);
}

function cannotOpen(path: string, error: NodeJS.ErrnoException): AmbryError {
  if (error.code === 'EISDIR') {
    return isDirectory(path);
  }
  if (error.code === 'ENOENT') {
    return new AmbryError('NotFound', `No such file: ${path}`);
  }
  return cannotRead(path, error);
}

function cannotRead(path: string, cause: unknown): AmbryError {
  const message = `Cannot read ${path}: ${messageOf(cause)}`;
  return new AmbryError('NotFound', message, { path: 'source', cause });
}
