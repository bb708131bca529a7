// Opens a URL with one ranged GET for the head of the file and goes by the answer:
//   206 with a visible Content-Range   read by range
//   200                                one plain GET, read in one pass, whether or not its size is known
// Only the URL that the caller named is ever asked, and again only where an answer was no use.
import { isAbort } from '../../errors.ts';
import type { ByteSource, SourceOptions } from '../byte-source.ts';
import { OnePass } from '../one-pass.ts';
import { badStatus } from './error.ts';
import { headBytes, rangeSource } from './range.ts';
import { isEncoded, parseContentRange, Remote } from './remote.ts';

export async function openHttp(url: string, options: SourceOptions): Promise<ByteSource> {
  const remote = new Remote(url, options.signal, options.retryPolicy);
  const response = await askForHead(remote);
  remote.learn(response);
  const first = parseContentRange(response.headers.get('content-range'))?.first;
  if (response.status === 206 && first === 0 && remote.size !== undefined && !isEncoded(response)) {
    return rangeSource(remote, response, remote.size);
  }
  if (response.status === 200) return plainSource(remote, response, options);
  await response.body?.cancel();
  // A range of unknown place (its header is hidden from other origins), or an empty file (416).
  const useless = response.status === 206 || response.status === 416;
  const plain = useless ? await remote.ask({}) : response;
  if (plain.status !== 200) throw badStatus(plain, url);
  remote.learn(plain);
  return plainSource(remote, plain, options);
}

async function plainSource(
  remote: Remote,
  response: Response,
  options: SourceOptions,
): Promise<ByteSource> {
  const chunks = remote.body(0, remote.size, response);
  const source = new OnePass(chunks, remote.size, 'download', options);
  // A web page instead of the file shows itself in the first byte.
  if (remote.size !== 0) await source.read(0, 1);
  return source;
}

/** Some servers refuse the CORS preflight that older browsers make for a Range header. */
async function askForHead(remote: Remote): Promise<Response> {
  try {
    return await remote.ask({ range: `bytes=0-${headBytes - 1}` });
  } catch (error) {
    const page = (globalThis as { location?: { origin: string } }).location;
    const elsewhere = page !== undefined && new URL(remote.url).origin !== page.origin;
    if (isAbort(error) || !elsewhere) throw error;
    return remote.ask({});
  }
}
