// Opens a URL with one ranged GET for the head of the file and goes by the answer:
//   206 with a visible Content-Range   read by range
//   200 with a believable length       one plain GET, read in one pass
//   200 without one, or compressed     spooled, then read like a file
// Only the URL that the caller named is ever asked, and again only where the first answer was no use.
import { isAbort } from '../errors.ts';
import { blobSource } from './blob.ts';
import type { ByteSource, SourceOptions } from './byte-source.ts';
import { badStatus, brokenOff, gotHtml, looksLikeHtml } from './http-error.ts';
import { get } from './http-get.ts';
import { plainSource } from './http-plain.ts';
import { kHeadBytes, parseContentRange, RangeSource } from './http-range.ts';
import { chunksOf, spool } from './stream.ts';

export async function openHttp(url: string, options: SourceOptions): Promise<ByteSource> {
  const { signal } = options;
  const response = await askForHead(url, signal);
  if (response.status === 206) {
    const range = parseContentRange(response.headers.get('content-range'));
    if (range?.first === 0 && range.total !== undefined && !isEncoded(response)) {
      return RangeSource.open(url, response, range.total, signal);
    }
    await response.body?.cancel();
  } else if (response.ok) {
    return openPlain(url, response, options);
  } else if (response.status !== 416) {
    await response.body?.cancel();
    throw badStatus(response, url);
  }
  // A range of unknown place (its header is hidden from other origins), or an empty file (416).
  const plain = await get(url, {}, signal);
  if (plain.status !== 200) throw badStatus(plain, url);
  return openPlain(url, plain, options);
}

/** Some servers refuse the CORS preflight that older browsers make for a Range header. */
async function askForHead(url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await get(url, { range: `bytes=0-${kHeadBytes - 1}` }, signal);
  } catch (error) {
    const page = (globalThis as { location?: { origin: string } }).location;
    if (isAbort(error) || page === undefined || new URL(url).origin === page.origin) throw error;
    return get(url, {}, signal);
  }
}

async function openPlain(
  url: string,
  response: Response,
  { signal, onSpool }: SourceOptions,
): Promise<ByteSource> {
  const announced = isEncoded(response) ? null : response.headers.get('content-length');
  const size = /^\d+$/.test(announced ?? '') ? Number(announced) : undefined;
  const chunks = checked(url, response, size, signal);
  if (size !== undefined) return plainSource(url, chunks, size);
  return blobSource(await spool(chunks, onSpool), signal, 'download');
}

function isEncoded(response: Response): boolean {
  return (response.headers.get('content-encoding') ?? 'identity') !== 'identity';
}

/** The body, refused when it is a web page, with a broken connection told as such. */
async function* checked(
  url: string,
  response: Response,
  size: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let got = 0;
  try {
    if (!response.body) return;
    for await (const chunk of chunksOf(response.body, signal)) {
      if (got === 0 && looksLikeHtml(chunk)) throw gotHtml(response, url);
      got += chunk.byteLength;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof TypeError ? brokenOff(url, got, size, error) : error;
  }
}
