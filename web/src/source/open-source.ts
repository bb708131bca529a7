// From what crossed the wire to an open source.
import { AmbryError } from '../errors.ts';
import type { WireSource } from '../rpc/protocol.ts';
import { blobSource } from './blob.ts';
import type { ByteSource, SourceOptions } from './byte-source.ts';
import { openHttp } from './http.ts';
import { memorySource } from './memory.ts';

/** Opens a path of the local file system; only Node has one. */
export type OpenPath = (path: string, options: SourceOptions) => Promise<ByteSource>;

export function openSource(
  source: WireSource,
  options: SourceOptions,
  openPath?: OpenPath,
): Promise<ByteSource> {
  switch (source.kind) {
    case 'url':
      return openHttp(source.url, options);
    case 'blob':
      return Promise.resolve(blobSource(source.blob, options.signal));
    case 'bytes':
      return Promise.resolve(memorySource(source.bytes));
    case 'path':
      if (openPath) return openPath(source.path, options);
      throw new AmbryError('Unsupported', 'A browser cannot open a path; give a File or a URL.');
  }
}
