import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { defineCommand } from './shared/command.ts';
import { jsonOption } from './shared/common-options.ts';
import { UnreadableError, UsageError } from './shared/failure.ts';
import { integer } from './shared/option-values.ts';
import { makeSiteServer } from './site-server.ts';

/** Ctrl-C is how people stop the server. */
const interrupted = 130;
const defaultPort = 8080;
/** The number of ports to try after the default one. */
const maxRetries = 20;

export const command = defineCommand({
  usage: '',
  summary: 'Serve the demo pages on this machine',
  details: ['Ctrl-C stops the server.'],
  options: {
    port: {
      type: 'string',
      value: 'N',
      help: `The port. Default: ${defaultPort}, or the next free one.`,
    },
    isolated: {
      type: 'boolean',
      help: 'Make the pages cross-origin isolated, so that language models run on several threads.',
    },
    ...jsonOption,
  },
  json: '{url}, when the server listens.',
  examples: ['demo', 'demo --port 3000', 'demo --isolated'],
  argumentCount: [0, 0],
  run: async (_, values, terminal) => {
    const site = fileURLToPath(new URL('../site/', import.meta.url));
    if (!existsSync(site)) {
      throw new UnreadableError(`There are no demo pages in ${site}. Build them: npm run build`);
    }
    const server = makeSiteServer(site, values.isolated);
    const port = await listen(server, integer(values.port, '--port', 0));
    const url = `http://127.0.0.1:${port}/`;
    if (values.json) terminal.printJson({ url });
    else terminal.print(`The demo pages are at ${url} (Ctrl-C stops the server)`);
    await once(terminal.signal, 'abort');
    server.closeAllConnections();
    server.close();
    return terminal.stopCode === interrupted ? 0 : (terminal.stopCode ?? 0);
  },
});

/** Listens on the requested port, or on the first free one from the default on. Resolves to the port. */
async function listen(server: Server, requested: number | undefined): Promise<number> {
  const first = requested ?? defaultPort;
  const last = requested ?? defaultPort + maxRetries;
  for (let port = first; port <= last; port++) {
    server.listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return (server.address() as { port: number }).port;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' || port === last) {
        const message = `Cannot listen on port ${port} (${code}). Choose another port.`;
        throw new UsageError(message, '--port');
      }
    }
  }
  throw new UsageError('There is no free port.', '--port');
}
