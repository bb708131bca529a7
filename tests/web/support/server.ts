// A real HTTP server on loopback that misbehaves on request. It closes with its test file.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';

export type Behaviour =
  | 'ranges'
  | 'hidden-content-range'
  | 'plain'
  | 'no-length'
  | 'gzip'
  | 'html'
  | 'missing'
  | 'drop'
  | 'drop-range'
  | 'changing'
  | 'empty'
  | 'stall';

export interface TestServer {
  readonly url: (behaviour: Behaviour) => string;
  /** Requests so far, like `GET plain bytes=0-65535`. */
  readonly requests: string[];
  /** Connections that the client closed before the answer was whole. */
  aborted: number;
}

const kPage = '<!DOCTYPE html><html><title>Start page</title></html>';

export async function startServer(file: Uint8Array): Promise<TestServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const behaviour = (request.url ?? '').slice(1) as Behaviour;
    requests.push(`GET ${behaviour} ${request.headers.range ?? ''}`.trim());
    response.on('close', () => {
      if (!response.writableFinished) state.aborted++;
    });
    answer(behaviour, Buffer.from(file), request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = (behaviour: Behaviour) => `http://127.0.0.1:${port}/${behaviour}`;
  const state: TestServer = { url, requests, aborted: 0 };
  return state;
}

function answer(
  behaviour: Behaviour,
  file: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
  const begin = Number(first ?? 0);
  const end = Math.min(Number(last ?? file.length - 1) + 1, file.length);
  const partial = (total: string, body = file.subarray(begin, end)) => {
    response.writeHead(206, {
      'content-type': 'application/octet-stream',
      'content-length': end - begin,
      'content-range': `bytes ${begin}-${end - 1}/${total}`,
    });
    response.write(body);
  };
  const whole = (length: number, body = file) => {
    response.writeHead(200, { 'content-length': length });
    response.write(body);
  };
  switch (behaviour) {
    case 'ranges':
      partial(String(file.length));
      break;
    case 'hidden-content-range':
      if (first === undefined) whole(file.length);
      else response.writeHead(206).write(file.subarray(begin, end));
      break;
    case 'plain':
      whole(file.length);
      break;
    case 'no-length':
      response.writeHead(200).write(file);
      break;
    case 'gzip':
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(file));
      break;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).write(kPage);
      break;
    case 'missing':
      response.writeHead(404, { 'content-type': 'text/html' }).write(kPage);
      break;
    case 'drop':
      whole(file.length, file.subarray(0, file.length / 2));
      setTimeout(() => response.destroy(), 20);
      return;
    case 'drop-range':
      if (begin === 0) {
        partial(String(file.length));
        break;
      }
      partial(String(file.length), file.subarray(begin, (begin + end) / 2));
      setTimeout(() => response.destroy(), 20);
      return;
    case 'changing':
      partial(String(file.length + (begin === 0 ? 0 : 7)));
      break;
    case 'empty':
      if (first !== undefined) response.writeHead(416, { 'content-range': 'bytes */0' });
      else response.writeHead(200, { 'content-length': 0 });
      break;
    case 'stall':
      whole(file.length, file.subarray(0, 1000));
      return;
  }
  response.end();
}
