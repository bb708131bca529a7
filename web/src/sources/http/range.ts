// A file on a server that supports range requests. The parser reads small ranges, and loading reads one long range.
import type { ByteSource, SourceOptions } from '../base/byte-source.ts';
import { joined } from '../base/stream.ts';
import { partIn } from './answer.ts';
import type { Remote } from './remote.ts';

interface SizedRemote extends Remote {
  size: number;
}

/** The first request's size: enough for the headers of most files. */
export const headBytes: number = 64 * 1024;

/** The largest file that is read to its end at once when more than its head is needed. A parser that jumps over the
 *  tensors of such a file needs more time for its requests than for all bytes. */
const smallBytes = 1 << 20;

/** Whether the response to the request for the head is the head. */
export function isRanged(remote: Remote, response: Response): remote is SizedRemote {
  return partIn(response)?.first === 0 && remote.size !== undefined;
}

/** `response` answers the request for the head. No request stays open between two calls: leaving a stream ends its
 *  request. */
export async function rangeSource(
  remote: SizedRemote,
  response: Response,
  { onHead }: Pick<SourceOptions, 'onHead'> = {},
): Promise<ByteSource> {
  const { size } = remote;

  async function* told(
    chunks: AsyncIterable<Uint8Array>,
    begin: number,
  ): AsyncGenerator<Uint8Array> {
    let at = begin;
    for await (const chunk of chunks) {
      at += chunk.byteLength;
      onHead?.(at, size);
      yield chunk;
    }
  }

  const headEnd = Math.min(size, headBytes);
  let head = await joined(headEnd, told(remote.body(0, headEnd, response), 0));

  async function* stream(begin: number, end: number): AsyncGenerator<Uint8Array> {
    const have = head.byteLength;
    if (begin < have) {
      yield head.subarray(begin, Math.min(end, have));
    }
    yield* remote.body(Math.max(begin, have), Math.max(end, have));
  }

  return {
    size,
    phase: 'download',
    seekable: true,
    stream,
    read: async (offset, length) => {
      const end = offset + length;
      const isSmall = size <= smallBytes;
      if (isSmall && end > head.byteLength) {
        head = await joined(size, told(stream(0, size), 0));
      }
      if (end > head.byteLength) {
        if (offset > head.byteLength) {
          return joined(length, stream(offset, end));
        }
        const bytes = await joined(length, told(stream(offset, end), offset));
        // Loading needs the bytes again that were read ahead from the head.
        head = await joined(end, [head.subarray(0, offset), bytes]);
      }
      return head.subarray(offset, end);
    },
    measure: async () => size,
    close: async () => {},
  };
}
