// A real HTTP server on loopback with bad manners on request: it drops, stalls, throttles, lies about
// lengths, ignores Range, changes its mind, compresses; and it counts requests and bytes.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A file to serve; a sparse one makes its bytes when they are asked for. */
export interface Content {
  readonly size: number;
  slice(begin: number, end: number): Uint8Array;
}

/** How a file is served. Functions get the number of the request, from 0 on. */
export interface Manners {
  readonly content: Content | ((request: number) => Content);
  /** False: Range is ignored. */
  readonly ranges?: boolean;
  /** Content-Range is left out, as it is for other origins that may not see it. */
  readonly hideRange?: boolean;
  /** What Content-Length says; `none` leaves it out. */
  readonly length?: 'none' | number;
  readonly encoding?: 'gzip' | 'br';
  readonly etag?: string | ((request: number) => string);
  readonly lastModified?: string;
  /** Answers with this status, and no file. */
  readonly status?: (request: number) => number | undefined;
  /** A start page instead of the file. */
  readonly page?: boolean;
  /** Closes the connection after so many bytes of the body. */
  readonly dropAfter?: (request: number, begin: number) => number | undefined;
  /** Sends nothing more after so many bytes of the body. */
  readonly stallAfter?: (request: number, begin: number) => number | undefined;
  readonly bytesPerSecond?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly authorization: string | undefined;
  readonly acceptEncoding: string | undefined;
  status: number;
  /** Bytes of the body that went out. */
  sent: number;
  /** The client closed the connection before the answer was whole. */
  abandoned: boolean;
}

export interface Served {
  readonly url: string;
  readonly asked: Asked[];
  sent(): number;
}

const testPage = '<!DOCTYPE html><html><title>Start page</title></html>';
const pieceBytes = 64 * 1024;

export const contentOf = (bytes: Uint8Array): Content => ({
  size: bytes.byteLength,
  slice: (begin, end) => bytes.subarray(begin, end),
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const notFound: Handler = (_, response) => void response.writeHead(404).end();

export class ByteServer {
  readonly origin: string;
  readonly #server: Server;
  readonly #files = new Map<string, { manners: Manners; asked: Asked[] }>();

  readonly #others: Handler;

  private constructor(server: Server, others: Handler) {
    this.#server = server;
    this.#others = others;
    this.origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  /** `others` answers for all other addresses. */
  static async start(others: Handler = notFound): Promise<ByteServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ByteServer(server, others);
  }

  serve(name: string, manners: Manners): Served {
    const asked: Asked[] = [];
    this.#files.set(`/${name}`, { manners, asked });
    const sent = () => asked.reduce((sum, request) => sum + request.sent, 0);
    return { url: `${this.origin}/${name}`, asked, sent };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = this.#files.get(request.url ?? '');
    if (!file) {
      return this.#others(request, response);
    }
    const { manners, asked } = file;
    if (request.method === 'OPTIONS') {
      return void response.writeHead(204, manners.headers).end();
    }
    const header = (name: string) => request.headers[name] as string | undefined;
    const entry: Asked = {
      range: header('range'),
      ifRange: header('if-range'),
      ifNoneMatch: header('if-none-match'),
      authorization: header('authorization'),
      acceptEncoding: header('accept-encoding'),
      status: 0,
      sent: 0,
      abandoned: false,
    };
    const number = asked.push(entry) - 1;
    response.on('close', () => {
      entry.abandoned = !response.writableFinished;
    });
    const answer = answerTo(manners, entry, number);
    entry.status = answer.status;
    response.writeHead(answer.status, answer.headers);
    await send(manners, entry, number, answer, response);
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | number>;
  readonly begin: number;
  readonly body: Content;
}

function answerTo(manners: Manners, asked: Asked, number: number): Answer {
  const { etag, lastModified, encoding } = manners;
  const content = typeof manners.content === 'function' ? manners.content(number) : manners.content;
  const tag = typeof etag === 'function' ? etag(number) : etag;
  const headers: Record<string, string | number> = {
    'content-type': 'application/octet-stream',
    ...(tag && { etag: tag }),
    ...(lastModified !== undefined && { 'last-modified': lastModified }),
    ...manners.headers,
  };
  const none = contentOf(new Uint8Array(0));
  const status = manners.status?.(number);
  if (status !== undefined) {
    return { status, headers, begin: 0, body: none };
  }
  if (manners.page) {
    headers['content-type'] = 'text/html; charset=utf-8';
    return { status: 200, headers, begin: 0, body: contentOf(Buffer.from(testPage)) };
  }
  if (tag && asked.ifNoneMatch === tag) {
    return { status: 304, headers, begin: 0, body: none };
  }
  const range = rangeIn(manners, asked, tag || lastModified);
  if (range && range.begin >= content.size) {
    headers['content-range'] = `bytes */${content.size}`;
    return { status: 416, headers, begin: 0, body: none };
  }
  const begin = range?.begin ?? 0;
  const end = Math.min(range?.end ?? content.size, content.size);
  let body: Content = { size: end - begin, slice: (a, b) => content.slice(begin + a, begin + b) };
  if (encoding) {
    const whole = body.slice(0, body.size);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
    const gzipped = encoding === 'gzip' && gzipSync(whole, { level: 1 });
    body = contentOf(gzipped || brotliCompressSync(whole, { params }));
    headers['content-encoding'] = encoding;
  }
  if (manners.length !== 'none') {
    headers['content-length'] = manners.length ?? body.size;
  }
  if (range && !manners.hideRange) {
    headers['content-range'] = `bytes ${begin}-${end - 1}/${content.size}`;
  }
  return { status: range ? 206 : 200, headers, begin, body };
}

/** The range to answer; none when it is ignored, or is for another version of the file. */
function rangeIn(manners: Manners, asked: Asked, version: string | undefined) {
  const match = /^bytes=(\d+)-(\d*)$/.exec(asked.range ?? '');
  if (manners.ranges === false || !match) {
    return undefined;
  }
  if (asked.ifRange !== undefined && asked.ifRange !== version) {
    return undefined;
  }
  return { begin: Number(match[1]), end: match[2] ? Number(match[2]) + 1 : undefined };
}

async function send(
  { dropAfter, stallAfter, bytesPerSecond }: Manners,
  entry: Asked,
  number: number,
  { begin, body }: Answer,
  response: ServerResponse,
): Promise<void> {
  const dropAt = dropAfter?.(number, begin) ?? Number.POSITIVE_INFINITY;
  const stallAt = stallAfter?.(number, begin) ?? Number.POSITIVE_INFINITY;
  const end = Math.min(body.size, dropAt, stallAt);
  response.flushHeaders();
  const closed = once(response, 'close');
  while (entry.sent < end && !response.destroyed) {
    const next = Math.min(entry.sent + pieceBytes, end);
    const flushed = response.write(body.slice(entry.sent, next));
    entry.sent = next;
    if (!flushed) {
      await Promise.race([new Promise((drained) => response.once('drain', drained)), closed]);
    }
    if (bytesPerSecond) {
      await sleep((pieceBytes / bytesPerSecond) * 1000);
    }
  }
  if (end === stallAt) {
    return;
  }
  if (end === dropAt) {
    await sleep(20).then(() => response.destroy());
  } else {
    response.end();
  }
}
