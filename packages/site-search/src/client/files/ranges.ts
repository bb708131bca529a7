// Range requests: which bytes of a file are asked for, and what of them an answer has.
import { readUpTo } from './read-body.ts';

/** `[from, to)`. */
export type ByteRange = readonly [from: number, to: number];

/** How many ranges a request may have. */
export const rangeModes = { none: 0, one: 1, several: 2 } as const;
export type RangeMode = (typeof rangeModes)[keyof typeof rangeModes];

/** Bytes of a file, and where they begin in it. */
export interface Piece {
  readonly from: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What each further range adds to an answer with several: a boundary and the headers of its part. */
const partBytes = 128;
/** What a request costs beside its bytes. */
const requestBytes = 1024;
/** More requests than these are put together, with so many bytes between that nobody needs. */
const wantedRequests = 4;
const mostBetween = 16 * 1024;

export function rangeHeader(ranges: readonly ByteRange[]): string {
  return `bytes=${ranges.map(([from, to]) => `${from}-${to - 1}`).join(',')}`;
}

/** The ranges of each request. */
export function requestsFor(wanted: readonly ByteRange[], mode: RangeMode): ByteRange[][] {
  const sorted = wanted.toSorted(([a], [b]) => a - b);
  return mode === rangeModes.several
    ? [merged(sorted, partBytes)]
    : merged(sorted, gapFor(sorted)).map((one) => [one]);
}

/** Ranges with fewer bytes between them are one request. */
function gapFor(sorted: readonly ByteRange[]): number {
  const gaps = sorted.slice(1).map(([from], i) => from - (sorted[i] as ByteRange)[1]);
  gaps.sort((a, b) => a - b);
  let sum = 0;
  let most = requestBytes;
  for (const gap of gaps.slice(0, Math.max(0, gaps.length - wantedRequests + 1))) {
    sum += gap;
    if (sum > mostBetween) {
      break;
    }
    most = Math.max(most, gap);
  }
  return most;
}

function merged(sorted: readonly ByteRange[], gap: number): ByteRange[] {
  const all: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = all.at(-1);
    if (last && from - last[1] <= gap) {
      last[1] = Math.max(last[1], to);
    } else {
      all.push([from, to]);
    }
  }
  return all;
}

/** What an answer has of the file. None if it is not an answer to a range request, or one that the host has packed: a piece of a
 *  packed file cannot be read. */
export async function piecesOf(
  response: Response,
  asked: readonly ByteRange[],
  path: string,
): Promise<Piece[]> {
  if (response.status !== 206) {
    // The body may be the whole file, which is large.
    await response.body?.cancel().catch(() => {});
    return [];
  }
  // A host may answer with more than was asked for, such as one range around all.
  const [[from] = [0, 0], [, to] = [0, 0]] = [asked[0], asked.at(-1)];
  const isPacked = /\S/.test(response.headers.get('content-encoding') ?? '');
  const read = readUpTo(response, to - from + asked.length * 1024, path);
  const bytes = await (isPacked ? read.catch(() => undefined) : read);
  if (!bytes) {
    return [];
  }
  const [, boundary] =
    /^multipart\/byteranges.*boundary="?([^";]+)/i.exec(
      response.headers.get('content-type') ?? '',
    ) ?? [];
  if (boundary !== undefined) {
    return partsIn(bytes, boundary);
  }
  const first = rangeStart(response.headers.get('content-range') ?? '')?.[0];
  return first === undefined ? [] : [{ from: first, bytes }];
}

/** The bytes of each range; undefined if the pieces do not have all of them. */
export function bytesOf(
  wanted: readonly ByteRange[],
  pieces: readonly Piece[],
): Uint8Array<ArrayBuffer>[] | undefined {
  const found = wanted.map(([from, to]) => {
    const piece = pieces.find((one) => one.from <= from && one.from + one.bytes.length >= to);
    return piece?.bytes.subarray(from - piece.from, to - piece.from);
  });
  return found.every((one) => one !== undefined) ? found : undefined;
}

function partsIn(bytes: Uint8Array<ArrayBuffer>, boundary: string): Piece[] {
  // One character for each byte.
  const text = new TextDecoder('latin1').decode(bytes);
  const pieces: Piece[] = [];
  for (let at = text.indexOf(`--${boundary}`); at >= 0; ) {
    const begin = text.indexOf('\r\n\r\n', at) + 4;
    const [from, to] = rangeStart(text.slice(at, begin)) ?? [0, 0];
    if (begin < 4 || to <= from) {
      return pieces;
    }
    pieces.push({ from, bytes: bytes.subarray(begin, begin + to - from) });
    at = text.indexOf(`--${boundary}`, begin + to - from);
  }
  return pieces;
}

/** The range of a header `Content-Range`, with or without its name. */
function rangeStart(header: string): ByteRange | undefined {
  const [, from, last] = /bytes (\d+)-(\d+)\//i.exec(header) ?? [];
  return from === undefined ? undefined : [Number(from), Number(last) + 1];
}
