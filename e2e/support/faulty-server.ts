// An HTTP server on another origin, with good files and faulty responses.

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tinyModel } from './tiny-model.ts';

export interface FaultyServer {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  close(): Promise<void>;
}

type Answer = (response: ServerResponse, file: Buffer) => void;

const corsHeaders = {
  'access-control-allow-origin': '*',
  'content-type': 'application/octet-stream',
};

const answers: Readonly<Record<string, Answer>> = {
  '/good.weights': (response, file) => {
    response.writeHead(200, { ...corsHeaders, 'content-length': file.length });
    response.end(file);
  },
  '/html.weights': (response) => {
    response.writeHead(200, { ...corsHeaders, 'content-type': 'text/html' });
    response.end('<!doctype html><title>Sign in</title><p>Please sign in.</p>');
  },
  '/missing.weights': (response) => {
    response.writeHead(404, { ...corsHeaders, 'content-type': 'text/plain' });
    response.end('no such file');
  },
  '/failing.weights': (response) => {
    response.writeHead(503, corsHeaders);
    response.end();
  },
  // Sends half of the file, with a correct length.
  '/short.weights': (response, file) => {
    const half = file.subarray(0, file.length >> 1);
    response.writeHead(200, { ...corsHeaders, 'content-length': half.length });
    response.end(half);
  },
  // Closes the connection in the middle.
  '/dropped.weights': (response, file) => {
    response.writeHead(200, { ...corsHeaders, 'content-length': file.length });
    response.write(file.subarray(0, file.length >> 1), () => response.destroy());
  },
  // Does not allow other origins.
  '/closed.weights': (response, file) => {
    response.writeHead(200, { 'content-length': file.length });
    response.end(file);
  },
};

/** Hugging Face folders, and the missing files of each. */
const folders: Readonly<Record<string, readonly string[]>> = {
  'tiny-bert': [],
  'no-config': ['config.json'],
  'no-tokenizer': ['vocab.txt'],
  'no-weights': ['model.safetensors'],
};

/** The file at an address such as `/tiny-bert/vocab.txt`. */
function fileInFolder(url: string): Buffer | undefined {
  const [, folder = '', path = ''] = /^\/([^/]+)\/(.+)$/.exec(url) ?? [];
  const missing = folders[folder];
  return missing === undefined || missing.includes(path) ? undefined : tinyModel().get(path);
}

export async function startFaultyServer(file: Buffer): Promise<FaultyServer> {
  const server: Server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    const inFolder = fileInFolder(request.url ?? '');
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { ...corsHeaders, 'access-control-allow-headers': 'range' }).end();
    } else if (inFolder !== undefined) {
      response.writeHead(200, { ...corsHeaders, 'content-length': inFolder.length });
      response.end(request.method === 'HEAD' ? undefined : inFolder);
    } else if (answer === undefined) {
      response.writeHead(404, corsHeaders).end();
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
