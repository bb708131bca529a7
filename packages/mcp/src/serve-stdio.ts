// The server that a client starts as a process of its own: messages are lines of standard input and output.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { checkedOptions } from './options/check-options.ts';
import { type StdioOptions, stdioSchema } from './options/listen-options.ts';
import type { McpOptions } from './options/mcp-options.ts';
import { serviceOf } from './serving/mcp-service.ts';
import { Requests } from './serving/requests.ts';

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Serves one client over standard input and output, until it closes the input or `signal` aborts. Calls that run when the
 * input closes may end within `closeTimeout`; an abort ends them at once.
 *
 * Throws `BadValue` at `options…`.
 *
 * @example
 * await serveStdio({ indexes: { notes: index } });
 */
export async function serveStdio(
  options: McpOptions & StdioOptions,
  { input, output }: StdioStreams = { input: process.stdin, output: process.stdout },
): Promise<void> {
  const settings = checkedOptions(stdioSchema, options);
  const { closeTimeout, signal, maxMessage, onError } = settings;
  const service = serviceOf(settings);
  const transport = new StdioServerTransport(input, output, { maxBufferSize: maxMessage });
  const requests = new Requests(transport);
  const server = service.createServer();
  server.server.onerror = (error) => onError?.(error);
  const ended = Promise.race([
    ...['end', 'close', 'error'].map((event) => once(input, event, { signal }).catch(() => {})),
    new Promise<void>((resolve) => {
      server.server.onclose = resolve;
    }),
  ]);
  await server.connect(transport);
  service.begin();
  await ended;
  if (!signal?.aborted) {
    await requests.answered(closeTimeout * 1000);
  }
  await server.close();
  await service.dispose();
}
