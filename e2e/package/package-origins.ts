// A page, and the package at its own origin or at another one, with worker scripts or without them.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import send from 'send';
import { test as base } from '../fixtures.ts';

const packageFolder = fileURLToPath(new URL('../../dist/', import.meta.url));
/** Packages besides `ambry`, by the address of their folder: ambry-whole is at /whole/. */
const others = /^\/(whole|pdf)\//;
const packagesFolder = fileURLToPath(new URL('../../packages/', import.meta.url));

export interface Origin {
  readonly url: string;
  /** The paths that were asked for. */
  readonly asked: string[];
  /** The policy of its pages. */
  policy: string | undefined;
  /** False: the scripts of workers are answered by a start page, as many hosts do with unknown paths. */
  hasWorkers: boolean;
}

export interface PackageOrigins {
  /** The page's own. */
  readonly own: Origin;
  readonly other: Origin;
}

export const test = base.extend<{ origins: PackageOrigins }>({
  origins: async ({ tiny }, use) => {
    const servers = await Promise.all([start(tiny), start(tiny)]);
    const [own, other] = servers;
    await use({ own: own.origin, other: other.origin });
    for (const { close } of servers) {
      close();
    }
  },
});

async function start(model: Uint8Array) {
  const origin = { url: '', asked: [] as string[], policy: undefined, hasWorkers: true } as Origin;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    (origin.asked as string[]).push(path);
    response.setHeader('access-control-allow-origin', '*');
    if (path === '/model.weights') {
      response.end(model);
    } else if (path === '/' || (!origin.hasWorkers && path.endsWith('worker.js'))) {
      sendPage(response, origin.policy);
    } else if (others.test(path)) {
      send(request, path, { root: packagesFolder }).pipe(response);
    } else {
      send(request, path, { root: packageFolder }).pipe(response);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  Object.assign(origin, { url: `http://127.0.0.1:${port}` });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin, close };
}

function sendPage(response: ServerResponse, policy: string | undefined): void {
  if (policy !== undefined) {
    response.setHeader('content-security-policy', policy);
  }
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><title>Package</title><link rel="icon" href="data:," />');
}
