// A File that was picked or dropped, or a Blob: read slice by slice, never as a whole.
import { AmbryError, isAbort, messageOf } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';
import { chunksOf } from './stream.ts';

/** `phase` says where the blob's bytes came from at first: a spooled download stays a download. */
export function blobSource(
  blob: Blob,
  signal: AbortSignal,
  phase: ByteSource['phase'] = 'load',
): ByteSource {
  return {
    size: blob.size,
    phase,
    seekable: true,
    read: async (offset, length) => {
      signal.throwIfAborted();
      try {
        return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
      } catch (error) {
        throw unreadable(blob, error);
      }
    },
    stream: async function* (begin, end) {
      try {
        yield* chunksOf(blob.slice(begin, end).stream(), signal);
      } catch (error) {
        throw isAbort(error) ? error : unreadable(blob, error);
      }
    },
    measure: async () => blob.size,
    close: async () => {},
  };
}

/** Browsers fail a read when the file was moved, changed or locked after it was picked. */
function unreadable(blob: Blob, cause: unknown): AmbryError {
  const name = 'name' in blob ? ` ${String(blob.name)}` : '';
  const message = `The file${name} cannot be read any more: ${messageOf(cause)}. Pick it again.`;
  return new AmbryError('NotFound', message, { cause });
}
