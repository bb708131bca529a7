// Reads a document in a worker, or on the caller's thread where there is none.

import { checked } from '../../base/call.ts';
import { AmbryError } from '../../base/errors.ts';
import { callback, type Kind, number, signal, text } from '../../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../../base/options.ts';
import { readerFor } from '../base/file-types.ts';
import type { DocumentOptions, DocumentRead, ReadDocument } from '../base/types.ts';
import { Yielder } from '../base/yielder.ts';
import { NoWorker } from './document-reader.ts';
import { PassageList } from './passage-batches.ts';
import type { ReaderName } from './protocol.ts';
import { type ReadOptions, readPassages } from './read-passages.ts';
import { ReaderPool, type StartReader } from './reader-pool.ts';
import { allReaders } from './readers.ts';

const defaultMaxTokens = 128;
const documentOptionNames: OptionNames<DocumentOptions> = {
  count: callback,
  most: number,
  signal,
};
const document: Kind = {
  words: 'a text or the bytes of a document, such as new Uint8Array(await file.arrayBuffer())',
  is: (value) => text.is(value) || value instanceof Uint8Array || value instanceof ArrayBuffer,
};
/** Bytes that are copied without a break. */
const copiedAtOnce = 1 << 24;

export function documentReader(start: StartReader | undefined): ReadDocument {
  let pool = start && new ReaderPool(start);
  const read: ReadDocument = async (path, given, options = {}) => {
    const bytes = bytesOf(given);
    await refuseUnknown(options, documentOptionNames);
    const { most = defaultMaxTokens, signal } = options;
    checkMost(most);
    signal?.throwIfAborted();
    const reader = readerFor(path, bytes) === 'pdf' ? 'pdf' : 'documents';
    try {
      if (pool) {
        return await readInWorker(pool, reader, path, bytes, { ...options, most });
      }
    } catch (error) {
      if (!(error instanceof NoWorker)) {
        throw error;
      }
      // A page's policy or its bundler leaves out the script. That stays so.
      pool = undefined;
    }
    return readHere(path, bytes, { ...options, most });
  };
  return checked(read, { path: text, bytes: document });
}

/** A text is what its bytes in UTF-8 are. */
function bytesOf(given: Uint8Array | ArrayBuffer | string): Uint8Array {
  if (typeof given === 'string') {
    return new TextEncoder().encode(given);
  }
  return given instanceof ArrayBuffer ? new Uint8Array(given) : given;
}

async function readHere(
  path: string,
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<DocumentRead> {
  const list = new PassageList(path);
  const reading = readPassages(path, bytes, options, allReaders);
  let next = await reading.next();
  for (; !next.done; next = await reading.next()) {
    list.add(next.value);
  }
  return { passages: list.passages, ...next.value };
}

function readInWorker(
  pool: ReaderPool,
  name: ReaderName,
  path: string,
  bytes: Uint8Array,
  { most, count, signal }: DocumentOptions & { readonly most: number },
): Promise<DocumentRead> {
  return pool.with(name, signal, async (reader) => {
    // The worker takes the memory, and the caller's stays as it is: it may be a part of a larger buffer.
    const copy = await copyOf(bytes, new Yielder(signal));
    const request = { path, bytes: copy, most, isCounted: count !== undefined };
    return reader.read(request, { count, signal });
  });
}

async function copyOf(bytes: Uint8Array, yielder: Yielder): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += copiedAtOnce) {
    await yielder.yieldIfDue();
    copy.set(bytes.subarray(at, at + copiedAtOnce), at);
  }
  return copy;
}

function checkMost(most: number): void {
  if (Number.isInteger(most) && most > 0) {
    return;
  }
  const message = `options.most must be a positive integer, not ${most}.`;
  throw new AmbryError('BadValue', message, { path: 'options.most' });
}
