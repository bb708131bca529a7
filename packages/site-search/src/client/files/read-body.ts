// Reads the body of an answer, and unpacks it, with a limit for both.
import { AmbryError } from 'ambry/terms';
import { limits } from '../../shared/limits.ts';

type LimitName = 'manifestBytes' | 'fileBytes';

export async function readBody(
  response: Response,
  name: LimitName,
  path: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return response.body ? collected(response.body, limits[name], name, path) : new Uint8Array();
}

/** The body of an answer that is known to be short. */
export async function readUpTo(
  response: Response,
  most: number,
  path: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const least = Math.min(most, limits.fileBytes);
  return response.body ? collected(response.body, least, 'fileBytes', path) : new Uint8Array();
}

export async function unpacked(
  bytes: Uint8Array<ArrayBuffer>,
  path: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { readable, writable } = new DecompressionStream('deflate');
  const writer = writable.getWriter();
  // What is wrong with the bytes is told to who reads.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  return collected(readable, limits.fileBytes, 'fileBytes', path);
}

/** A text that is packed with a dictionary: `start` is that of the stream, and `length` that of the dictionary in it. */
export async function unpackedText(
  bytes: Uint8Array<ArrayBuffer>,
  { start, length }: { readonly start: Uint8Array; readonly length: number },
  path: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Uint8Array(start.length + bytes.length);
  stream.set(start);
  stream.set(bytes, start.length);
  return (await unpacked(stream, path)).subarray(length);
}

async function collected(
  stream: ReadableStream<Uint8Array>,
  most: number,
  name: LimitName,
  path: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    length += next.value.length;
    if (length <= most) {
      continue;
    }
    await reader.cancel().catch(() => {});
    const message = `${path} exceeds the limit ${name}: more than ${most} bytes.`;
    throw new AmbryError('LimitExceeded', message, { path });
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
