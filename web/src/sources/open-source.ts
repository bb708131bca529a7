// Opens the source that a worker received.
import { AmbryError } from '../base/errors.ts';
import { blobSource } from './base/blob.ts';
import type { ByteSource, SourceOptions } from './base/byte-source.ts';
import { openJoined } from './base/joined.ts';
import { memorySource } from './base/memory.ts';
import { OnePass } from './base/one-pass.ts';
import { callersChunks } from './base/stream.ts';
import type { WireSource } from './base/wire.ts';
import { openHttp } from './http/http.ts';

/** Opens a path of the local file system; only Node has one. */
export type OpenPath = (path: string, options: SourceOptions) => Promise<ByteSource>;

interface JobSourceOptions extends SourceOptions {
  /** Whether the job reads the whole file. */
  readonly whole: boolean;
}

export type OpenSource = (source: WireSource, options: JobSourceOptions) => Promise<ByteSource>;

/** Opens without a cache and without hashing. open-cached.ts adds these. */
export async function openSource(
  source: WireSource,
  options: SourceOptions,
  openPath?: OpenPath,
): Promise<ByteSource> {
  switch (source.kind) {
    case 'url':
      return openHttp(source.url, { ...options, hub: source.hub });
    case 'blob':
      return blobSource(source.blob, options.signal);
    case 'bytes':
      return memorySource(source.bytes);
    case 'stream':
      return new OnePass(callersChunks(source.stream, options.signal), undefined, 'load', options);
    case 'parts':
      return openJoined(source.parts, (part) => openSource(part, options, openPath));
    case 'path':
      if (openPath) {
        return openPath(source.path, options);
      }
      throw new AmbryError('Unsupported', 'A browser cannot open a path; give a File or a URL.');
  }
}
