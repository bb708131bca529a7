// From what callers give as a source to what crosses to the worker.
import { AmbryError, abortError } from '../errors.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions, ModelDirectory, ModelSource } from './types.ts';
import type { WireSource } from './wire.ts';

/** What a string or a URL stands for on this platform. */
type Locate = (source: string | URL) => WireSource;

export async function wireSource(
  locate: Locate,
  source: ModelSource,
  options: JobOptions & FetchOptions,
): Promise<WireSource> {
  if (options.signal?.aborted) throw abortError(options.signal);
  const { cache, sha256 } = options;
  return { ...(await bare(locate, source, options)), cache, sha256 };
}

/** What moves to the worker with the source. */
export function transferOf(wire: WireSource): Transferable[] {
  return wire.kind === 'stream' ? [wire.stream] : [];
}

async function bare(locate: Locate, source: ModelSource, options: JobOptions): Promise<WireSource> {
  if (typeof source === 'string' || source instanceof URL) return locate(source);
  if (source instanceof Blob) return { kind: 'blob', blob: source };
  if (source instanceof ArrayBuffer || source instanceof Uint8Array) {
    return { kind: 'bytes', bytes: ownBytes(source) };
  }
  if (source instanceof ReadableStream) {
    return (await import('./wire-stream.ts')).wireStream(source, options);
  }
  if (typeof source?.path === 'string') return { kind: 'path', path: source.path };
  throw new AmbryError('BadValue', `Not a source: ${String(source)}`, { path: 'source' });
}

export function isDirectory(source: ModelSource | ModelDirectory): source is ModelDirectory {
  if (source instanceof Map) return true;
  if (typeof source !== 'object' || source === null) return false;
  return Object.getPrototypeOf(source) === Object.prototype && !('path' in source);
}

/** Bytes in a buffer of just their size. A view would cross with all of the buffer that it looks into. */
export function ownBytes(bytes: ArrayBuffer | Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  const whole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return whole ? new Uint8Array(bytes.buffer as ArrayBuffer) : new Uint8Array(bytes);
}
