// Node's platform, with the scripts of its workers. Only the entries for Node reach this file.

import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker as NodeWorker, type WorkerOptions } from 'node:worker_threads';
import { AmbryError } from '../base/errors.ts';
import { nodePort } from '../platform/node-port.ts';
import type { Platform } from '../platform/platform.ts';
import { webPort } from '../rpc/port.ts';
import type { WireSource } from '../sources/base/wire.ts';
import { nodeRequest } from '../sources/http/node-request.ts';
import { makeRequestsWith } from '../sources/http/requests.ts';
import { isUrlOfDirectory } from '../sources/http/url.ts';

/** In megabytes. A template that takes more ends its worker, and not the process. */
const templateMemory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

makeRequestsWith(nodeRequest);

export const node: Platform = {
  spawn: (worker) => nodePort(worker === 'chat-template' ? templateWorker() : anyWorker()),
  oneWorker: true,
  adopt: (worker) => {
    const given: unknown = worker;
    return given instanceof NodeWorker ? nodePort(given) : webPort(worker);
  },
  cores: availableParallelism,
  locate,
  absolute: (url) => {
    const place = locate(url);
    return place.kind === 'path' ? pathToFileURL(place.path).href : (place as { url: string }).url;
  },
  isDirectory: (source) =>
    source.kind === 'path'
      ? (statSync(source.path, { throwIfNoEntry: false })?.isDirectory() ?? false)
      : isUrlOfDirectory(source),
  directoryAt: async (source) =>
    (await import('../sources/directory/node-directory.ts')).directoryAt(source),
  createOutput: async (target) => (await import('../output/node-partial.ts')).createOutput(target),
  createTemporary: async () => (await import('../output/node-temporary.ts')).createTemporary(),
  pictures: () => import('../image-classifier/node-pictures.ts'),
  allowsPages: (response) => response.headers.has('access-control-allow-origin'),
};

/** A worker would inherit `--input-type` of `node -e` and refuse its own file. */
const execArgv: string[] = [];

/** What traces the files of a server (nft) follows a path like this. */
const here = dirname(fileURLToPath(import.meta.url));

/** Bundlers of servers make the script of `new Worker` a file of their own, which webpack then does not find. They leave
 *  this alone. */
const started = (script: string, options: WorkerOptions): NodeWorker =>
  Reflect.construct(NodeWorker, [script, options]);

const anyWorker = () => started(join(here, './workers/node-worker.js'), { execArgv });
const templateWorker = () =>
  started(join(here, './workers/node-chat-template-worker.js'), {
    execArgv,
    resourceLimits: templateMemory,
  });

/** A string is a URL when it says so, and otherwise a path. */
function locate(source: string | URL): WireSource {
  const url = String(source);
  if (/^(https?|data|blob):/i.test(url)) {
    return { kind: 'url', url };
  }
  return { kind: 'path', path: /^file:/i.test(url) ? pathOf(url) : url };
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    const message = `Not the address of a file on this machine: ${url.slice(0, 100)}`;
    throw new AmbryError('BadValue', message, { path: 'source', cause });
  }
}
