// The service worker of docs/offline.md and the option `cache`: a page works after its server has ended.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import send from 'send';
import { blocksOf } from '../../tests/docs/support/code-blocks.ts';
import { expect, test } from '../fixtures.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const demo = fileURLToPath(new URL('../../packages/demo/', import.meta.url));
const guide = readFileSync(new URL('../../docs/offline.md', import.meta.url), 'utf8');
const scripts = blocksOf('docs/offline.md', guide).filter(({ mark }) => mark?.kind === 'run by');
const [worker = '', keep = ''] = scripts.map(({ code }) => code);

const page = `<!doctype html><title>Offline</title><link rel="icon" href="data:," /><output></output>
<script type="module" src="/keep.js"></script><script type="module" src="/page.js"></script>`;
const main = `import { open } from '/index.js';
const model = await open('/site/models/english-192x1.weights', { kind: 'encoder', cache: true });
const [first] = await model.embed('A tide.');
document.querySelector('output').textContent = (navigator.serviceWorker.controller ? 'kept ' : 'new ') + first;`;

const made: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': ['text/html', page],
  '/page.js': ['text/javascript', main],
  '/keep.js': ['text/javascript', keep],
  '/offline.js': ['text/javascript', worker],
};

async function startServer(): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader(
      'content-security-policy',
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:",
    );
    const file = made[request.url ?? ''];
    if (file) {
      response.setHeader('content-type', file[0]).end(file[1]);
    } else {
      const path = request.url ?? '';
      send(request, path, { root: path.startsWith('/site/') ? demo : dist }).pipe(response);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test.use({ serviceWorkers: 'allow' });

test('the scripts of docs/offline.md keep a page and its model', async ({
  page,
  browserErrors,
}) => {
  const server = await startServer();
  const output = page.locator('output');
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await expect(output).toHaveText(/^kept -?[\d.]+/);
  const before = await output.textContent();
  server.closeAllConnections();
  server.close();
  // The page asks the server, which is not there any more.
  browserErrors.expect(/ERR_CONNECTION_REFUSED/);
  await page.reload();
  await expect(output).toHaveText(before ?? '');
});
