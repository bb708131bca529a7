// Reads a document in a worker, or on the caller's thread where there is none.

import { checked } from '../../base/call.ts';
import { AmbryError } from '../../base/errors.ts';
import { callback, type Kind, number, signal, text } from '../../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../../base/options.ts';
import { Yielder } from '../../base/yielder.ts';
import { readerFor } from '../base/file-types.ts';
import type { DocumentOptions, DocumentRead, ReadDocument } from '../base/types.ts';
import type { LoadPdfjs } from '../pdf/pdf-package.ts';
import type { FindReader } from '../sections/contents.ts';
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
/** Bytes that are copied, and characters that are encoded, without a break. */
const copiedAtOnce = 1 << 20;
const encodedAtOnce = 1 << 20;

export function documentReader(start: StartReader | undefined, loadPdfjs: LoadPdfjs): ReadDocument {
  const pool = start && new ReaderPool(start);
  /** The workers that do not start. A page's policy or its bundler leaves out the script. That stays so. */
  const absent = new Set<ReaderName>();
  const readers = allReaders(loadPdfjs);
  const read: ReadDocument = async (path, given, options = {}) => {
    await refuseUnknown(options, documentOptionNames);
    const { most = defaultMaxTokens, signal } = options;
    checkMost(most);
    signal?.throwIfAborted();
    const bytes = await bytesOf(given, new Yielder(signal));
    const reader = readerFor(path, bytes) === 'pdf' ? 'pdf' : 'documents';
    try {
      if (pool && !absent.has(reader)) {
        return await readInWorker(pool, reader, path, bytes, { ...options, most });
      }
    } catch (error) {
      if (!(error instanceof NoWorker)) {
        throw error;
      }
      absent.add(reader);
    }
    return readHere(path, bytes, { ...options, most }, readers);
  };
  return checked(read, { path: text, bytes: document });
}

/** A text is what its bytes in UTF-8 are. */
async function bytesOf(
  given: Uint8Array | ArrayBuffer | string,
  yielder: Yielder,
): Promise<Uint8Array> {
  if (typeof given !== 'string') {
    return given instanceof ArrayBuffer ? new Uint8Array(given) : given;
  }
  const encoder = new TextEncoder();
  if (given.length <= encodedAtOnce) {
    return encoder.encode(given);
  }
  const parts: Uint8Array[] = [];
  for (let at = 0; at < given.length; ) {
    await yielder.yieldIfDue();
    const isPairCut = (given.charCodeAt(at + encodedAtOnce) & 0xfc00) === 0xdc00;
    const end = at + encodedAtOnce - (isPairCut ? 1 : 0);
    parts.push(encoder.encode(given.slice(at, end)));
    at = end;
  }
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let length = 0;
  for (const part of parts) {
    await yielder.yieldIfDue();
    bytes.set(part, length);
    length += part.length;
  }
  return bytes;
}

async function readHere(
  path: string,
  bytes: Uint8Array,
  options: ReadOptions,
  readers: FindReader,
): Promise<DocumentRead> {
  const list = new PassageList(path);
  const reading = readPassages(path, bytes, options, readers);
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
  return pool.with({ name, path }, signal, async (reader) => {
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
