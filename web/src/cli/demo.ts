import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { defineCommand, wholeNumber } from './shared/command.ts';
import { UnreadableError, UsageError } from './shared/failure.ts';

const kDefaultPort = 8080;
/** How many ports to try when none was asked for. */
const kTries = 20;

// Models may come from any address that the person types in; code only from here.
const kPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' https: http: blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const command = defineCommand({
  usage: 'demo [--port N]',
  summary: 'serve the demo pages on this machine; Ctrl-C stops it',
  details: [`--port   ${kDefaultPort}, or the next free one, when absent`],
  options: { port: { type: 'string' } },
  takes: [0, 0],
  run: async (_, values, terminal) => {
    const site = fileURLToPath(new URL('../site/', import.meta.url));
    if (!existsSync(site)) {
      throw new UnreadableError(`The pages are not built (${site}); run: npm run build`);
    }
    const asked = wholeNumber(values.port, '--port', 0);
    const server = siteServer(site);
    const port = await listen(server, asked);
    terminal.print(`Ambry's pages: http://127.0.0.1:${port}/ (Ctrl-C stops)`);
    await once(terminal.signal, 'abort');
    server.closeAllConnections();
    server.close();
    return 0;
  },
});

function siteServer(site: string): Server {
  const serve = sirv(site, {
    etag: true,
    dev: true, // looks at the disk, so that a new build is served
    setHeaders: (response) => {
      response.setHeader('content-security-policy', kPolicy);
      response.setHeader('x-content-type-options', 'nosniff');
      response.setHeader('cache-control', 'no-cache');
    },
  });
  return createServer((request, response) => {
    serve(request, response, () => {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
    });
  });
}

/** The port that was taken: the one asked for, or the first free one. */
async function listen(server: Server, asked: number | undefined): Promise<number> {
  const last = asked ?? kDefaultPort + kTries;
  for (let port = asked ?? kDefaultPort; port <= last; port++) {
    server.listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return (server.address() as { port: number }).port;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'EADDRINUSE' || port === last) {
        throw new UsageError(`cannot listen on port ${port} (${code}); choose another`, '--port');
      }
    }
  }
  throw new UsageError('no free port', '--port');
}
