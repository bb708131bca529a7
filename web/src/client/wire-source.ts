// From what callers give as a source to what crosses to the worker.
import { AmbryError, abortError } from '../errors.ts';
import { Meter } from '../rpc/meter.ts';
import type { WireSource } from '../rpc/protocol.ts';
import { chunksOf, spool } from '../source/stream.ts';
import type { JobOptions, ModelDirectory, ModelSource } from '../types.ts';
import { ownBytes } from './connect.ts';
import type { Platform } from './platform.ts';

/** Everything but a stream crosses as it is; a stream is taken in whole first. */
export async function wireSource(
  platform: Platform,
  source: ModelSource,
  options: JobOptions,
): Promise<WireSource> {
  if (options.signal?.aborted) throw abortError(options.signal);
  if (typeof source === 'string' || source instanceof URL) return platform.locate(source);
  if (source instanceof Blob) return { kind: 'blob', blob: source };
  if (source instanceof ArrayBuffer || source instanceof Uint8Array) {
    return { kind: 'bytes', bytes: ownBytes(source) };
  }
  if (source instanceof ReadableStream) {
    return { kind: 'blob', blob: await spoolStream(source, options) };
  }
  if (typeof source?.path === 'string') return { kind: 'path', path: source.path };
  throw new AmbryError('BadValue', `Not a source: ${String(source)}`, { path: 'source' });
}

async function spoolStream(stream: ReadableStream<Uint8Array>, options: JobOptions): Promise<Blob> {
  const { signal = new AbortController().signal, onProgress } = options;
  const meter = new Meter((progress) => onProgress?.(progress));
  const blob = await spool(chunksOf(stream, signal), (loaded) => {
    meter.report({ phase: 'download', loaded, total: 0, cached: false });
  });
  meter.flush();
  return blob;
}

export function isDirectory(source: ModelSource | ModelDirectory): source is ModelDirectory {
  if (source instanceof Map) return true;
  if (typeof source !== 'object' || source === null) return false;
  return Object.getPrototypeOf(source) === Object.prototype && !('path' in source);
}
