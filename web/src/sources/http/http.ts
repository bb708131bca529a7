// Opens a URL with one ranged GET for the head of the file. The response decides how the file is read:
//   206 with a visible Content-Range and a version   by range
//   200                                              in one pass, whether or not its size is known
// Only the caller's URL is requested, and it is requested again only if a response cannot be used.
import { isAbort } from '../../base/errors.ts';
import type { ByteSource, SourceOptions } from '../base/byte-source.ts';
import { OnePass } from '../base/one-pass.ts';
import { Stalled } from '../base/stream.ts';
import { headBytes, isRanged, rangeSource } from './range.ts';
import { asItIs, Remote } from './remote.ts';
import { isOtherOrigin } from './url.ts';

export async function openHttp(url: string, options: SourceOptions): Promise<ByteSource> {
  const remote = new Remote(url, options.signal, options.retryPolicy, options.hub);
  const response = await askForHead(remote);
  remote.setFacts(response);
  if (isRanged(remote, response) && remote.version) {
    return rangeSource(remote, response, options);
  }
  if (response.status === 200) {
    return plainSource(remote, response, options);
  }
  await response.body?.cancel();
  // The server hides the Content-Range header from other origins, its parts may be of different versions, or the file
  // is empty (416).
  const useless = response.status === 206 || response.status === 416;
  const plain = useless ? await remote.ask(asItIs) : response;
  if (plain.status !== 200) {
    throw remote.badStatus(plain);
  }
  remote.setFacts(plain);
  return plainSource(remote, plain, options);
}

async function plainSource(
  remote: Remote,
  response: Response,
  options: SourceOptions,
): Promise<ByteSource> {
  const chunks = remote.body(0, remote.size, response);
  const source = new OnePass(chunks, remote.size, 'download', options);
  // Reading the first byte detects a web page in place of the file.
  if (remote.size !== 0) {
    await source.read(0, 1);
  }
  return source;
}

/** Some servers refuse the CORS preflight that older browsers make for a Range header. */
async function askForHead(remote: Remote): Promise<Response> {
  try {
    return await remote.ask({ range: `bytes=0-${headBytes - 1}` });
  } catch (error) {
    const isSilent = (error as Error).cause instanceof Stalled;
    if (isAbort(error) || isSilent || !isOtherOrigin(remote.url)) {
      throw error;
    }
    return remote.ask(asItIs);
  }
}
