// The byte server with one file and a name for each of its manners, and the hub. They close with their test file.
import { afterAll } from 'vitest';
import { ByteServer, contentOf, type Manners, type Served } from './byte-server.ts';
import { HubServer } from './hub-server.ts';

type Named = Omit<Manners, 'content'>;

const testManners = {
  ranges: { etag: '"one"' },
  'hidden-content-range': { hideRange: true },
  plain: { ranges: false },
  'no-length': { ranges: false, length: 'none' },
  gzip: { ranges: false, encoding: 'gzip' },
  br: { ranges: false, encoding: 'br' },
  html: { page: true },
  missing: { status: () => 404, headers: { 'content-type': 'text/html' } },
  /** Never sends more than its beginning. */
  drop: { ranges: false, dropAfter: () => 2000 },
  stall: { ranges: false, stallAfter: () => 1000 },
} as const satisfies Record<string, Named>;

export type Behaviour = keyof typeof testManners;

export interface TestServer {
  readonly url: (behaviour: Behaviour) => string;
  /** Requests so far, like `GET plain bytes=0-65535`. */
  readonly requests: () => string[];
  /** Connections that the client closed before the answer was whole. */
  readonly abandoned: () => number;
  /** Serves a file of this server with any manners. */
  readonly serve: (name: string, manners: Manners) => Served;
}

export async function startServer(file: Uint8Array): Promise<TestServer> {
  const server = await ByteServer.start();
  afterAll(() => server.close());
  const content = contentOf(file);
  const served = Object.entries(testManners).map(
    ([name, manners]) => [name, server.serve(name, { content, ...manners })] as const,
  );
  return {
    url: (behaviour) => `${server.origin}/${behaviour}`,
    requests: () =>
      served.flatMap(([name, { asked }]) =>
        asked.map(({ range }) => `GET ${name} ${range ?? ''}`.trim()),
      ),
    abandoned: () => served.flatMap(([, { asked }]) => asked).filter((r) => r.abandoned).length,
    serve: (name, manners) => server.serve(name, manners),
  };
}

export async function startHub(): Promise<HubServer> {
  const hub = await HubServer.start();
  afterAll(() => hub.close());
  return hub;
}
