// An HTTP server on another origin that answers the way broken servers do.

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tinyModel } from './tiny-model.ts';

export interface MeanServer {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  close(): Promise<void>;
}

type Answer = (response: ServerResponse, file: Buffer) => void;

const kOpen = { 'access-control-allow-origin': '*', 'content-type': 'application/octet-stream' };

const kAnswers: Readonly<Record<string, Answer>> = {
  '/good.weights': (response, file) => {
    response.writeHead(200, { ...kOpen, 'content-length': file.length });
    response.end(file);
  },
  '/html.weights': (response) => {
    response.writeHead(200, { ...kOpen, 'content-type': 'text/html' });
    response.end('<!doctype html><title>Sign in</title><p>Please sign in.</p>');
  },
  '/missing.weights': (response) => {
    response.writeHead(404, { ...kOpen, 'content-type': 'text/plain' });
    response.end('no such file');
  },
  '/failing.weights': (response) => {
    response.writeHead(503, kOpen);
    response.end();
  },
  // The length is right for what is sent, but it is not the whole file.
  '/short.weights': (response, file) => {
    const half = file.subarray(0, file.length >> 1);
    response.writeHead(200, { ...kOpen, 'content-length': half.length });
    response.end(half);
  },
  // The connection breaks in the middle.
  '/dropped.weights': (response, file) => {
    response.writeHead(200, { ...kOpen, 'content-length': file.length });
    response.write(file.subarray(0, file.length >> 1), () => response.destroy());
  },
  // No permission for other origins.
  '/closed.weights': (response, file) => {
    response.writeHead(200, { 'content-length': file.length });
    response.end(file);
  },
};

/** Directories as the hub has them, and what each of them lacks. */
const kDirectories: Readonly<Record<string, readonly string[]>> = {
  'tiny-bert': [],
  'no-config': ['config.json'],
  'no-tokenizer': ['vocab.txt'],
  'no-weights': ['model.safetensors'],
};

/** The file at `/tiny-bert/vocab.txt` and the like. */
function fileInDirectory(url: string): Buffer | undefined {
  const [, directory = '', path = ''] = /^\/([^/]+)\/(.+)$/.exec(url) ?? [];
  const missing = kDirectories[directory];
  return missing === undefined || missing.includes(path) ? undefined : tinyModel().get(path);
}

export async function startMeanServer(file: Buffer): Promise<MeanServer> {
  const server: Server = createServer((request, response) => {
    const answer = kAnswers[request.url ?? ''];
    const inDirectory = fileInDirectory(request.url ?? '');
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { ...kOpen, 'access-control-allow-headers': 'range' }).end();
    } else if (inDirectory !== undefined) {
      response.writeHead(200, { ...kOpen, 'content-length': inDirectory.length });
      response.end(request.method === 'HEAD' ? undefined : inDirectory);
    } else if (answer === undefined) {
      response.writeHead(404, kOpen).end();
    } else {
      answer(response, file);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
