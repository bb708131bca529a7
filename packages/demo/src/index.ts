// Serves the demo pages on this machine.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { makeSiteServer } from './site-server.ts';

const defaultPort = 8080;
/** The number of ports to try after the default one. */
const maxRetries = 20;

/** The folder of the pages: static files, which any server can serve. Sample models are in its folder `models`. */
export const site: string = fileURLToPath(new URL('../site/', import.meta.url));

export interface DemoOptions {
  /** 0 is any free port. Default: 8080, or the next free one. */
  readonly port?: number | undefined;
  /** Makes the pages cross-origin isolated, so that workers share memory. Default: false. */
  readonly isolated?: boolean | undefined;
}

export interface RunningDemo {
  /** Ends with a slash. */
  readonly url: string;
  readonly close: () => void;
}

/** The pages are not built, or no port is free. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
  /** The option that another value may help. */
  readonly option: keyof DemoOptions | undefined;

  constructor(message: string, option?: keyof DemoOptions) {
    super(message);
    this.option = option;
  }
}

/** Starts the server, which listens on 127.0.0.1 only. Rejects with a `DemoError`. */
export async function serveDemo({ port, isolated }: DemoOptions = {}): Promise<RunningDemo> {
  if (!existsSync(site)) {
    throw new DemoError(`There are no demo pages in ${site}. Build them: npm run build`);
  }
  const server = makeSiteServer(site, isolated);
  const chosen = await listen(server, port);
  return {
    url: `http://127.0.0.1:${chosen}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Listens on the requested port, or on the first free one from the default on. Resolves to the port. */
async function listen(server: Server, requested: number | undefined): Promise<number> {
  const first = requested ?? defaultPort;
  const last = requested ?? defaultPort + maxRetries;
  for (let port = first; ; port++) {
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as { port: number }).port;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE' && port < last) {
        continue;
      }
      const message = `Cannot listen on port ${port} (${code}). Choose another port.`;
      throw new DemoError(message, 'port');
    }
  }
}
