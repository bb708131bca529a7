// Converts a caller's source to the form that is sent to the worker.
import { AmbryError, abortError } from '../base/errors.ts';
import type { Movable } from '../rpc/port.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions, ModelDirectory, ModelParts, ModelSource } from './base/types.ts';
import type { HubAccess, WireSource } from './base/wire.ts';
import type { FoundAtHub } from './hub/hub-sources.ts';

/** The source that a string or a URL means on this platform. */
type Locate = (source: string | URL) => WireSource;

export async function wireSource(
  locate: Locate,
  source: ModelSource | ModelParts,
  options: JobOptions & FetchOptions,
): Promise<WireSource> {
  if (options.signal?.aborted) {
    throw abortError(options.signal);
  }
  const { cache, sha256, stallTimeout } = options;
  checkStallTimeout(stallTimeout);
  const fetching = { cache, sha256, stallTimeout };
  const given = await fromHub(source, options, 'file');
  if (Array.isArray(given) || isDirectory(given)) {
    if (Array.isArray(given) && !Array.from(given).every((file) => file instanceof Blob)) {
      throw notASource(given);
    }
    const { wireParts } = await import('./split.ts');
    return wireParts(given, (file) => wireFormOf(locate, file, options), fetching);
  }
  const wire = await wireFormOf(locate, given as ModelSource, options);
  if (!mayBePart(placeOf(wire))) {
    return { ...wire, ...fetching };
  }
  return (await import('./split.ts')).withSiblings(wire, fetching);
}

/** A first look, for which pages fetch no code: whether a path or an address may name a part (directory/part-names.ts). */
const mayBePart = (path: string): boolean => /-of-\d+\.gguf/i.test(path);

/** Where a file lies; empty for one whose bytes are given. */
function placeOf(wire: WireSource): string {
  return wire.kind === 'url' ? wire.url : wire.kind === 'path' ? wire.path : '';
}

/** Whether the files are the parts of one model, and not a directory. */
export function isSplit(files: ModelDirectory): boolean {
  const names = files instanceof Map ? [...files.keys()] : Object.keys(files);
  return names.some(mayBePart);
}

/** Whether it is a name like `hf:owner/name`. */
export function isHubName(source: unknown): source is string | URL {
  return (typeof source === 'string' || source instanceof URL) && /^hf:/.test(String(source));
}

/** What a name at the hub stands for: a file, a tokenizer, or a model, which may be a directory. Any other source is
 *  returned as it is. */
export async function fromHub<S, K extends keyof FoundAtHub>(
  source: S,
  options: JobOptions & FetchOptions,
  wanted: K,
): Promise<S | FoundAtHub[K]> {
  if (!isHubName(source)) {
    return source;
  }
  const { lookUp } = await import('./hub/hub-sources.ts');
  return lookUp[wanted](source, options);
}

/** Runs a job over what a name at the hub stands for. Its error also names the repository with other weights of the model,
 *  where there are ONNX's only. */
export async function orBase<T>(
  source: unknown,
  options: JobOptions & FetchOptions,
  work: Promise<T>,
): Promise<T> {
  return work.catch(async (error: unknown) => {
    throw isHubName(source)
      ? await (await import('./hub/base-model.ts')).withBase(error, source, options)
      : error;
  });
}

export function checkStallTimeout(stallTimeout: number | undefined): void {
  if (stallTimeout === undefined || stallTimeout > 0) {
    return;
  }
  const message = `Not a number of milliseconds above 0: ${stallTimeout}`;
  throw new AmbryError('BadValue', message, { path: 'stallTimeout' });
}

/** The objects to transfer to the worker with the source. */
export function transferOf(wire: WireSource): Movable[] {
  return wire.kind === 'stream' ? [wire.stream] : [];
}

async function wireFormOf(
  locate: Locate,
  source: ModelSource,
  options: JobOptions,
): Promise<WireSource> {
  const hub = (source as { readonly hub?: HubAccess } | null | undefined)?.hub;
  if (hub) {
    return { ...locate(source as URL), hub };
  }
  if (typeof source === 'string' || source instanceof URL) {
    return locate(source);
  }
  if (source instanceof Blob) {
    return { kind: 'blob', blob: source };
  }
  if (source instanceof ArrayBuffer || source instanceof Uint8Array) {
    return { kind: 'bytes', bytes: ownBytes(source) };
  }
  if (source instanceof ReadableStream) {
    if (source.locked) {
      const message = 'Something else reads the stream already. Open another one.';
      throw new AmbryError('BadValue', message, { path: 'source' });
    }
    return (await import('./wire-stream.ts')).wireStream(source, options);
  }
  if (typeof source?.path === 'string') {
    return { kind: 'path', path: source.path };
  }
  throw notASource(source);
}

function notASource(given: unknown): AmbryError {
  const what = given === null ? 'null' : typeof given;
  const advice = given instanceof Promise ? ' Await the promise first.' : '';
  const message = `A source is an address, a file, bytes, a stream, the files of a directory, or in Node a path, and not ${what}.${advice}`;
  return new AmbryError('BadValue', message, { path: 'source' });
}

export function isDirectory(source: ModelSource | ModelParts): source is ModelDirectory {
  if (source instanceof Map) {
    return true;
  }
  if (typeof source !== 'object' || source === null) {
    return false;
  }
  return Object.getPrototypeOf(source) === Object.prototype && !('path' in source);
}

/** The bytes in a buffer of exactly their size. A view would transfer the whole buffer behind it. */
export function ownBytes(bytes: ArrayBuffer | Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes instanceof ArrayBuffer) {
    return new Uint8Array(bytes);
  }
  const whole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return whole ? new Uint8Array(bytes.buffer as ArrayBuffer) : new Uint8Array(bytes);
}
