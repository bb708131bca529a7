// A server of Node for the application.
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { ended, listen, needsKey, urlOf } from 'ambry-http';
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
  const refusal = needsKey(settings);
  if (refusal) {
    throw refusal;
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
