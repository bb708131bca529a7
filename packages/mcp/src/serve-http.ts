// A server that clients find at an address: the protocol's Streamable HTTP.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ended, listen, needsKey, urlOf } from 'ambry-http';
import { checkedOptions } from './options/check-options.ts';
import { type HttpOptions, type HttpSettings, httpSchema } from './options/listen-options.ts';
import type { McpOptions, McpSettings } from './options/mcp-options.ts';
import { corsHeaders, guardOf, type Refusal } from './serving/guards.ts';
import { serviceOf } from './serving/mcp-service.ts';
import { Sessions } from './serving/sessions.ts';

export interface RunningMcpServer {
  /** The address that clients are given, such as `http://127.0.0.1:8082/mcp`. */
  readonly url: string;
  /** Ends the server: running calls may end within `closeTimeout`, others are refused. */
  close(): Promise<void>;
}

const path = '/mcp';
/** Milliseconds in which a request must have come. */
const requestTime = 60_000;

/**
 * Serves many clients over HTTP.
 *
 * Rejects with `BadValue` at `options…`, also where it cannot listen.
 *
 * @example
 * const server = await serveHttp({ indexes: { notes: index }, port: 0 });
 * process.once('SIGTERM', () => server.close());
 */
export async function serveHttp(options: McpOptions & HttpOptions): Promise<RunningMcpServer> {
  const settings = checkedOptions(httpSchema, options);
  const { host, port, maxConnections, maxBody, maxSessions, closeTimeout } = settings;
  const refusal = needsKey(settings);
  if (refusal) {
    throw refusal;
  }
  const service = serviceOf(settings);
  const sessions = new Sessions(service, { maxBody, maxSessions });
  const state = { isStopping: false };
  const server = createServer(handlerOf(settings, sessions, state));
  server.maxConnections = maxConnections;
  server.requestTimeout = requestTime;
  await listen(server, port, host);
  service.begin();
  let closing: Promise<void> | undefined;
  const close = async () => {
    state.isStopping = true;
    await sessions.answered(closeTimeout * 1000);
    await sessions.close();
    await ended(server, 0, () => {});
    await service.dispose();
  };
  return {
    url: `${urlOf(host, server)}${path}`,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

function handlerOf(
  settings: HttpSettings & McpSettings,
  sessions: Sessions,
  state: { readonly isStopping: boolean },
): Handler {
  const refusalOf = guardOf(settings);
  return (request, response) => {
    for (const [name, value] of Object.entries(corsHeaders(settings, request.headers.origin))) {
      response.setHeader(name, value);
    }
    const refusal = refusalOf(request) ?? wrongPlace(request, state.isStopping);
    if (refusal) {
      refuse(response, refusal);
      return;
    }
    answer(request, response, sessions).catch((error: unknown) => {
      settings.onError?.(error);
      refuse(response, { status: 500, message: 'The server failed.' });
    });
  };
}

function wrongPlace({ url = '' }: IncomingMessage, isStopping: boolean): Refusal | undefined {
  if (isStopping) {
    return { status: 503, message: 'The server is stopping.' };
  }
  const [own] = url.split('?');
  return own === path ? undefined : { status: 404, message: `The protocol is at ${path}.` };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Sessions,
): Promise<void> {
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  const id = request.headers['mcp-session-id'];
  if (typeof id === 'string') {
    if (!(await sessions.answer(id, request, response))) {
      refuse(response, { status: 404, message: 'There is no such session. Begin a new one.' });
    }
  } else if (request.method !== 'POST') {
    refuse(response, { status: 400, message: 'The header Mcp-Session-Id is missing.' });
  } else if (await sessions.makeRoom()) {
    await sessions.begin(request, response);
  } else {
    response.setHeader('retry-after', '30');
    refuse(response, { status: 503, message: 'There are too many clients. Try again later.' });
  }
}

/** Clients of the protocol read errors as JSON-RPC has them. */
function refuse(response: ServerResponse, { status, message }: Refusal): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  const error = { code: -32_000, message };
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}
