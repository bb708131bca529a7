// The files that the apps read, on an origin of their own, and the unpacked package as a CDN would serve it.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import send from 'send';
import { paragraph, pdfFile } from '../../web/support/files/pdf-file.ts';

const models = fileURLToPath(new URL('../../../web/demo/public/models/', import.meta.url));
const served = {
  '/model.weights': 'english-static-336.weights',
  '/encoder.weights': 'english-192x1.weights',
};

/** In Windows-1252. */
const notes = Buffer.from(
  '# Caf\u00e9\n\nLe caf\u00e9 pr\u00e8s du ch\u00e2teau est ferm\u00e9 le lundi, et la fen\u00eatre reste ouverte.\n',
  'latin1',
);
const pdf = pdfFile([
  { lines: paragraph(700, 'The ferry leaves at noon,', 'and returns at night.') },
]);
const made = {
  '/document.pdf': { type: 'application/pdf', bytes: pdf },
  '/notes.md': { type: 'text/plain', bytes: notes },
};

/** What the answers must contain, whatever the app's own check says. */
export const sentences = {
  pdf: 'The ferry leaves at noon, and returns at night.',
  notes: 'Le caf\u00e9 pr\u00e8s du ch\u00e2teau est ferm\u00e9 le lundi',
};

/** Serves the assets at `/`, and the folder of the package at `/package/`. */
export async function serveAssets(packageFolder) {
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'range, if-range');
    response.setHeader('access-control-expose-headers', 'content-range, etag, content-length');
    // Pages that are isolated, too, may read the files.
    response.setHeader('cross-origin-resource-policy', 'cross-origin');
    if (request.method === 'OPTIONS') {
      return response.writeHead(204).end();
    }
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = made[pathname];
    if (file) {
      return response.writeHead(200, { 'content-type': file.type }).end(file.bytes);
    }
    const model = served[pathname];
    if (model) {
      return send(request, model, { root: models }).pipe(response);
    }
    const path = pathname.replace(/^\/package\//, '/');
    return send(request, path, { root: packageFolder }).pipe(response);
  });
  return listening(server);
}

/** A folder as a site. Unknown paths are answered by the start page, as many hosts do. */
export async function serveFolder(folder, headers = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    for (const [name, value] of Object.entries(headers)) {
      response.setHeader(name, value);
    }
    send(request, pathname, { root: folder })
      .on('error', () => {
        response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html>Not found');
      })
      .pipe(response);
  });
  return listening(server);
}

async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The bytes of a file of the package. */
export const readPackage = (folder, name) => readFileSync(`${folder}/${name}`);
