// An empty page on an origin that serves only the package and a model.
import { fileURLToPath } from 'node:url';
import send from 'send';
import {
  ByteServer,
  contentOf,
  type Manners,
  type Served,
} from '../../tests/web/support/servers/byte-server.ts';
import { test as base } from '../fixtures.ts';

const packageFolder = fileURLToPath(new URL('../../dist/', import.meta.url));

export interface PackageSite {
  readonly origin: string;
  /** The tiny encoder, unless the manners have another content. */
  readonly serve: (manners?: Partial<Manners>, name?: string) => Served;
}

export const test = base.extend<{ packageSite: PackageSite }>({
  packageSite: async ({ tiny, page }, use) => {
    const server = await ByteServer.start((request, response) => {
      if (request.url !== '/') {
        return void send(request, request.url ?? '/', { root: packageFolder }).pipe(response);
      }
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Package</title><link rel="icon" href="data:," />');
    });
    const serve = (manners: Partial<Manners> = {}, name = 'model.weights') =>
      server.serve(name, { content: contentOf(tiny), etag: '"one"', ...manners });
    await page.goto(server.origin);
    await use({ origin: server.origin, serve });
    server.close();
  },
});
