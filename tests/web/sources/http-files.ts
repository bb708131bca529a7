// A server with one file, and ways to open it, for the tests of sources at URLs.
import type { ByteSource } from '../../../web/src/sources/base/byte-source.ts';
import { openHttp } from '../../../web/src/sources/http/http.ts';
import { contentOf, type Manners } from '../support/servers/byte-server.ts';
import { startServer } from '../support/servers/server.ts';
import { gather, quickRetries, sampleBytes } from '../support/source-jobs.ts';

export const testSize = 300_000;
export const file = sampleBytes(testSize);
export const server = await startServer(file);
export const longAgo = 'Sat, 21 Nov 2020 10:00:00 GMT';
export const never = new AbortController().signal;

/** For servers that fall silent. Long enough for the others on a busy machine. */
export const silenceMs = 1000;
export const open = (behaviour: Parameters<typeof server.url>[0], signal = never) =>
  openHttp(server.url(behaviour), { signal, retryPolicy: quickRetries() });

let names = 0;
export const serve = (manners: Partial<Manners>) =>
  server.serve(`file${names++}`, { content: contentOf(file), ...manners });
export const openAt = (url: string, signal = never, stallMs?: number): Promise<ByteSource> =>
  openHttp(url, { signal, retryPolicy: quickRetries(stallMs) });

export async function readWhole(url: string, stallMs?: number): Promise<Buffer> {
  const source = await openAt(url, never, stallMs);
  return gather(source.stream(0, testSize));
}
