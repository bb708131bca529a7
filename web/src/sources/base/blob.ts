// A File that was picked or dropped, or a Blob. It is read in slices, never as a whole.
import { AmbryError, isAbort, messageOf } from '../../base/errors.ts';
import { withoutStop } from '../../base/without-stop.ts';
import type { ByteSource } from './byte-source.ts';
import { chunksOf } from './stream.ts';

/** `phase` says where the bytes came from originally. Bytes of a download that were collected in a blob count as
 *  downloaded. */
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

/** Browsers fail to read a file that was moved, changed or locked after it was picked. */
function unreadable(blob: Blob, cause: unknown): AmbryError {
  const name = 'name' in blob ? ` ${String(blob.name)}` : '';
  const message = `The file${name} cannot be read any more: ${withoutStop(messageOf(cause))}. Pick it again.`;
  return new AmbryError('NotFound', message, { cause });
}
