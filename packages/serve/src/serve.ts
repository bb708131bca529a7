// A server of Node for the application.
import type { Server } from 'node:http';
import { type AddressInfo, BlockList, isIP } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { AmbryError } from 'ambry';
import { createApp, type OnError } from './app.ts';
import type { ModelEntries } from './models.ts';
import { type ListenOptions, listenSettings } from './options.ts';

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Resolves to the names of the models that could not be opened, when the others are open. `onError` hears why. */
  readonly opened: Promise<readonly string[]>;
  /** Ends the server: running answers may end, others are refused, and the models that it opened are disposed of. */
  close(): Promise<void>;
}

/**
 * Serves models by OpenAI's and Ollama's interfaces. The server answers at once, also while models are being opened.
 *
 * Rejects with `BadValue` at `options…` and `models`, and with Node's error where it cannot listen.
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
  const [serveOptions, settings] = listenSettings(options);
  const { host, port, withoutKey, maxConnections, closeTimeout } = settings;
  if (!withoutKey && serveOptions.apiKey === undefined && !isLoopback(host)) throw needsKey(host);
  const app = createApp(models, serveOptions, onError);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.maxConnections = maxConnections;
  await listen(server, port, host);
  const opened = app.open();
  let closing: Promise<void> | undefined;
  const close = async () => {
    app.stop();
    const late = setTimeout(() => app.abort(), closeTimeout * 1000);
    await ended(server);
    clearTimeout(late);
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

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Connections without a request end at once, the others after their answer, also if the client would keep them. */
function ended(server: Server): Promise<void> {
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  return new Promise((resolve) => {
    server.close(() => {
      clearInterval(closeIdle);
      resolve();
    });
    server.closeIdleConnections();
  });
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
  const message = `At ${host} other machines can call the server. Set an API key, or say that it is open to all.`;
  return new AmbryError('BadValue', message, { path: 'options.host' });
}
