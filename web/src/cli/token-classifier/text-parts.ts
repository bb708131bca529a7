// Cuts a stream of bytes into parts of a text, so that a file of any length goes through a model. Parts are whole paragraphs where
// they can be, and joined they are the text.
import { isUtf8 } from 'node:buffer';
import { badLine } from '../shared/read-lines.ts';

/** Bytes of a part at most. A model reads this much in windows. */
export const mostBytes = 65_536;
const lineFeed = 10;
const space = 32;

export interface Cutting {
  /** Cuts after every line, and not after empty lines only. */
  readonly lines: boolean;
}

/** The parts that end in one chunk, together. */
export async function* textParts(
  input: AsyncIterable<Uint8Array>,
  cutting: Cutting,
): AsyncGenerator<readonly string[]> {
  let line = 1;
  const decoded = (bytes: Buffer): string => {
    const text = decodedPart(bytes, line);
    line += text.split('\n').length - 1;
    return text;
  };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of input) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk);
    const parts: string[] = [];
    let begin = 0;
    for (let end = endOfPart(rest, begin, cutting); end > begin; ) {
      parts.push(decoded(rest.subarray(begin, end)));
      begin = end;
      end = endOfPart(rest, begin, cutting);
    }
    rest = rest.subarray(begin);
    if (parts.length > 0) {
      yield parts;
    }
  }
  if (rest.length > 0) {
    yield [decoded(rest)];
  }
}

/** Where the part ends that begins here; 0 if more bytes are needed to tell. */
function endOfPart(bytes: Buffer, begin: number, { lines }: Cutting): number {
  const limit = begin + mostBytes;
  let lastLine = 0;
  let hasText = false;
  for (let at = begin; ; at = lastLine) {
    const end = bytes.indexOf(lineFeed, at) + 1;
    if (end === 0 || end > limit) {
      break;
    }
    const isEmpty = bytes.subarray(at, end).every(isSpace);
    if (lines || (isEmpty && hasText)) {
      return end;
    }
    hasText ||= !isEmpty;
    lastLine = end;
  }
  if (bytes.length <= limit) {
    return 0;
  }
  return lastLine || endInLine(bytes, begin, limit);
}

const isSpace = (byte: number): boolean => byte === space || (byte >= 9 && byte <= 13);

/** A line that is too long is cut after its last space, and without one before a character. */
function endInLine(bytes: Buffer, begin: number, limit: number): number {
  const after = bytes.lastIndexOf(space, limit - 1) + 1;
  if (after > begin) {
    return after;
  }
  let end = limit;
  while (end > limit - 3 && isContinuation(bytes[end] ?? 0)) {
    end--;
  }
  return end;
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** `line` is the number of the part's first line. */
function decodedPart(bytes: Buffer, line: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    let at = 0;
    let number = line;
    for (let end = 0; end < bytes.length; number++) {
      end = bytes.indexOf(lineFeed, at) + 1 || bytes.length;
      if (!isUtf8(bytes.subarray(at, end))) {
        break;
      }
      at = end;
    }
    throw badLine(number, 'is not valid UTF-8', cause);
  }
}
