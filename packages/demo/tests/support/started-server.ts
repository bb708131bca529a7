// A server of the demo pages on a free port, and requests to it.
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeSiteServer } from '../../src/site-server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface StartedServer {
  readonly port: number;
  ask(path: string, headers?: Record<string, string>, method?: string): Promise<Answer>;
  close(): void;
}

export async function startServer(folder: string, isolated = false): Promise<StartedServer> {
  const server = makeSiteServer(folder, isolated).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    ask: async (path, headers = {}, method = 'GET') => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end();
      const [response] = await once(sent, 'response');
      const body = Buffer.concat(await response.toArray());
      return { status: response.statusCode, headers: response.headers, body };
    },
    close: () => server.close(),
  };
}
