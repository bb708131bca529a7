// From what callers give as a source to what crosses to the worker.
import { AmbryError, abortError } from '../errors.ts';
import type { ModelDirectory } from '../files/convert-types.ts';
import type { WireSource } from '../rpc/protocol.ts';
import type { FetchOptions, JobOptions, ModelSource } from '../rpc/types.ts';
import { ownBytes } from '../runtime/connect.ts';
import type { Platform, Purpose } from '../runtime/platform.ts';

export async function wireSource(
  platform: Platform,
  source: ModelSource,
  options: JobOptions & FetchOptions,
): Promise<WireSource> {
  if (options.signal?.aborted) throw abortError(options.signal);
  const { cache, sha256 } = options;
  return { ...(await bare(platform, source, options)), cache, sha256 };
}

/** The smallest worker knows no cache and no hashes. */
export function purposeOf({ cache, sha256 }: WireSource): Purpose {
  return cache || sha256 ? 'keptRun' : 'run';
}

/** What moves to the worker with the source. */
export function transferOf(wire: WireSource): Transferable[] {
  return wire.kind === 'stream' ? [wire.stream] : [];
}

async function bare(
  platform: Platform,
  source: ModelSource,
  options: JobOptions,
): Promise<WireSource> {
  if (typeof source === 'string' || source instanceof URL) return platform.locate(source);
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
