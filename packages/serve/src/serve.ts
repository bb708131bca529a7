// A server of Node for the application.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, BlockList, isIP } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { AmbryError } from 'ambry';
import { createApp, type OnError } from './app.ts';
import type { ModelEntries } from './service/models.ts';
import { type ListenOptions, listenSettings } from './service/options.ts';

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Resolves to the names of the models that could not be opened, when the others are open. `onError` is called with each reason. */
  readonly opened: Promise<readonly string[]>;
  /** Ends the server: running answers may end, others are refused, and the models that it opened are disposed of. */
  close(): Promise<void>;
}

/** Milliseconds in which ended answers may reach their clients. */
const lastWords = 1000;

/**
 * Serves models by OpenAI's, Anthropic's and Ollama's interfaces. The server answers at once, also while models are being opened.
 *
 * Rejects with `BadValue` at `options…`, also where it cannot listen, and at `models`.
 *
 * @example
 * const server = await serve({ minilm: () => open({ path: 'minilm.weights' }) }, { port: 8080 });
 * process.once('SIGTERM', () => server.close());
 */
export async function serve(
  models: ModelEntries,
  options: ListenOptions = {},
  onError: OnError = () => {},
): Promise<RunningServer> {
  const settings = listenSettings(options);
  const { host, port, withoutKey, maxConnections, closeTimeout, ...serveOptions } = settings;
  if (!withoutKey && settings.apiKey === undefined && !isLoopback(host)) {
    throw needsKey(host);
  }
  const app = createApp(models, serveOptions, onError);
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  server.maxConnections = maxConnections;
  server.requestTimeout = settings.requestTimeout * 1000;
  await listen(server, port, host);
  const opened = app.open();
  let closing: Promise<void> | undefined;
  const close = async () => {
    app.stop();
    await ended(server, closeTimeout * 1000, app.abort);
    await opened;
    await app.dispose();
  };
  return {
    url: urlOf(host, server),
    opened,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isPort = code === 'EADDRINUSE' || code === 'EACCES';
    const message = `The server cannot listen at ${host}, port ${port} (${code}). Choose another ${isPort ? 'port' : 'host'}.`;
    const path = isPort ? 'options.port' : 'options.host';
    throw new AmbryError('BadValue', message, { path, cause: error });
  }
}

/** Connections without a request end at once, the others after their answer. Those that are left after the time are
 *  aborted, and cut if their clients do not even read that. */
async function ended(server: Server, time: number, abort: () => void): Promise<void> {
  // A client may keep a connection after its answer.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(abort, time);
  const cut = setTimeout(() => server.closeAllConnections(), time + lastWords);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(idle);
  clearTimeout(late);
  clearTimeout(cut);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  return (
    host === 'localhost' || (version !== 0 && loopback.check(host, version === 6 ? 'ipv6' : 'ipv4'))
  );
}

function urlOf(host: string, server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function needsKey(host: string): AmbryError {
  const message = `At ${host} other machines can call the server. Give it a key (apiKey, --api-key), or let everybody in (withoutKey, --without-key).`;
  return new AmbryError('BadValue', message, { path: 'options.host' });
}
