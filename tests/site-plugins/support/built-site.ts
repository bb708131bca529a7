// Serves a built site below a path, as static hosts do: folders by their index page, and `/cats` by `cats.html`. Every page
// has a policy of its own, and a first script that notes problems.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import send from 'send';
import { policyOf } from './policy.ts';

const watch = readFileSync(fileURLToPath(new URL('../../engines/site/watch.js', import.meta.url)));

export interface BuiltSite {
  /** The address of the server, with a slash at its end. */
  readonly url: string;
  readonly close: () => void;
}

/** `base` is the path of the site, such as `/handbook/`. `prefetches` says whether its pages prefetch others. */
export async function serveBuilt(
  folder: string,
  base: string,
  prefetches: boolean,
): Promise<BuiltSite> {
  const sendPage = (response: ServerResponse, html: string, status: number) => {
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(html, prefetches),
    });
    response.end(html.replace(/<head[^>]*>/, '$&<script src="/watch.js"></script>'));
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (path === '/watch.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(watch);
      return;
    }
    const file = path.startsWith(base) ? fileOf(folder, path.slice(base.length)) : undefined;
    if (file?.endsWith('.html')) {
      return sendPage(response, readFileSync(file, 'utf8'), 200);
    }
    if (file) {
      return void send(request, file, { dotfiles: 'allow' }).pipe(response);
    }
    const lost = join(folder, '404.html');
    sendPage(response, existsSync(lost) ? readFileSync(lost, 'utf8') : 'Not found', 404);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function fileOf(folder: string, path: string): string | undefined {
  const names = [path, `${path}.html`, join(path, 'index.html')].map((name) => join(folder, name));
  return names.find((name) => existsSync(name) && statSync(name).isFile());
}
