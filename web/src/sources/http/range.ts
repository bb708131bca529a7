// A file on a server that answers ranges: parsing asks for what it needs, loading is one long range.
import type { ByteSource } from '../byte-source.ts';
import { joined } from '../stream.ts';
import type { Remote } from './remote.ts';

/** The first request's size: enough for the headers of most files. */
export const headBytes: number = 64 * 1024;

/** `response` answers for the head. Nothing is open between two calls: leaving a stream ends its request. */
export async function rangeSource(
  remote: Remote,
  response: Response,
  size: number,
): Promise<ByteSource> {
  const headEnd = Math.min(size, headBytes);
  let head = await joined(headEnd, remote.body(0, headEnd, response));

  async function* stream(begin: number, end: number): AsyncGenerator<Uint8Array> {
    const have = head.byteLength;
    if (begin < have) yield head.subarray(begin, Math.min(end, have));
    yield* remote.body(Math.max(begin, have), Math.max(end, have));
  }

  return {
    size,
    phase: 'download',
    seekable: true,
    stream,
    read: async (offset, length) => {
      const end = offset + length;
      if (end > head.byteLength) {
        const bytes = await joined(length, stream(offset, end));
        if (offset > head.byteLength) return bytes;
        // Loading needs again what was read on from the head.
        head = await joined(end, [head.subarray(0, offset), bytes]);
      }
      return head.subarray(offset, end);
    },
    measure: async () => size,
    close: async () => {},
  };
}
