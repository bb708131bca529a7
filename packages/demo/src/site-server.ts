// The server of the demo pages. It answers requests from this machine only.
import { readFile, type Stats } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import send from 'send';
import { type CompressedFile, CompressedFiles, isCompressible } from './compressed-files.ts';
import { type Coding, codingFor } from './encodings.ts';

// Users may load models from any address, but code comes from this server only.
const securityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' https: http: blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** With them, pages have memory that several workers share. */
const isolationHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** The names by which a browser on this machine reaches the server. */
const hostNames = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Makes a server for the files of a folder. It answers `GET` and `HEAD`, with byte ranges, and compresses texts and WebAssembly. It refuses requests for other
 * host names, so that a page of another site cannot reach it through a name that resolves to this machine. `isolated`
 * makes its pages cross-origin isolated.
 */
export function makeSiteServer(folder: string, isolated = false): Server {
  const files = new CompressedFiles(folder);
  return createServer((request, response) => {
    if (isolated) {
      response.setHeaders(new Map(Object.entries(isolationHeaders)));
    }
    response.setHeader('content-security-policy', securityPolicy);
    response.setHeader('x-content-type-options', 'nosniff');
    if (!isOwnHost(request)) {
      return refuse(response, 421, 'This server answers only to 127.0.0.1 and localhost.');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return refuse(response, 405, 'This server answers only GET and HEAD.');
    }
    void answer({ folder, files }, request, response);
  });
}

interface Site {
  readonly folder: string;
  readonly files: CompressedFiles;
}

async function answer(
  { folder, files }: Site,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Browsers ask each time, so that a new build is served.
  response.setHeader('cache-control', 'no-cache');
  const path = (request.url ?? '/').split(/[?#]/, 1)[0] as string;
  if (isCompressible(path)) {
    response.setHeader('vary', 'accept-encoding');
    const coding = isOfWholeFile(request)
      ? codingFor(request.headers['accept-encoding'])
      : undefined;
    const file = coding && (await files.at(path, coding));
    if (coding && file) {
      return sendCompressed(file, coding, request, response);
    }
  }
  sendFile(folder, path, request, response);
}

/** Ranges are of the file as it is, and so are the versions that writers compare. */
const isOfWholeFile = ({ headers }: IncomingMessage): boolean =>
  headers.range === undefined &&
  headers['if-match'] === undefined &&
  headers['if-unmodified-since'] === undefined;

function sendCompressed(
  { content, etag, modified, type }: CompressedFile,
  coding: Coding,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader('etag', etag);
  response.setHeader('last-modified', modified.toUTCString());
  if (isKnown(request, etag, modified)) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(200, {
    'content-type': type,
    'content-encoding': coding,
    'content-length': content.length,
  });
  response.end(request.method === 'HEAD' ? undefined : content);
}

/** Whether the client has this version (RFC 9110, 13.1.2 and 13.1.3). */
function isKnown({ headers }: IncomingMessage, etag: string, modified: Date): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    const opaque = etag.replace(/^W\//, '');
    return tags.split(',').some((tag) => ['*', opaque].includes(tag.trim().replace(/^W\//, '')));
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Math.floor(modified.getTime() / 1000) * 1000 <= since;
}

function sendFile(
  folder: string,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  send(request, path, { root: folder, extensions: ['html'], cacheControl: false })
    .on('file', (_path: string, { size }: Stats) => shortenSuffix(request, size))
    .on('error', (error: SendError) => {
      if (error.status === 404 && isForPeople(request)) {
        sendMissingPage(folder, response);
      } else {
        answerError(response, error);
      }
    })
    .pipe(response);
}

/** Browsers name HTML where they open a page. */
const isForPeople = ({ headers }: IncomingMessage): boolean =>
  /\btext\/html\b/.test(headers.accept ?? '');

/** The site's page for an address without a page. Its own addresses are relative, and the root is known here. */
function sendMissingPage(folder: string, response: ServerResponse): void {
  readFile(join(folder, '404.html'), 'utf8', (error, page) => {
    if (error) {
      return refuse(response, 404, errorTexts[404] ?? '');
    }
    response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page.replaceAll(/(href|src)="(\.\.?\/)+/g, '$1="/'));
  });
}

/** Asks for the whole file where a suffix range is longer than it (RFC 9110, 14.1.2). `send` would refuse the range. */
function shortenSuffix(request: IncomingMessage, size: number): void {
  const suffix = /^bytes=-(\d+)$/.exec(request.headers.range ?? '')?.[1];
  if (suffix !== undefined && Number(suffix) > size) {
    request.headers.range = 'bytes=0-';
  }
}

interface SendError {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function answerError(response: ServerResponse, { status = 500, headers = {} }: SendError): void {
  if (response.headersSent) {
    // The file could not be read to its end. A closed connection says so.
    response.destroy();
    return;
  }
  for (const [name, value] of Object.entries(headers)) {
    response.setHeader(name, value);
  }
  refuse(response, status, errorTexts[status] ?? 'The server cannot read this file.');
}

const errorTexts: Readonly<Record<number, string>> = {
  400: 'The address is not valid.',
  404: 'Not found.',
  412: 'The file has another version.',
  416: 'The file has no such range.',
};

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

function isOwnHost(request: IncomingMessage): boolean {
  const { port } = request.socket.address() as AddressInfo;
  const host = request.headers.host?.toLowerCase();
  return hostNames.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}
