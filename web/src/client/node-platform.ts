// Node's side of the platform. Only node.ts reaches this file.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Transferable as NodeTransferable, Worker as NodeWorker } from 'node:worker_threads';
import { type Port, webPort } from '../rpc/port.ts';
import type { WireSource } from '../rpc/protocol.ts';
import type { DoctorCheck, ModelDirectory } from '../types.ts';
import { kOtherWeights, kShardIndex, kShards, kSideFiles, kWeights } from './directory.ts';
import { check } from './doctor.ts';
import type { Platform } from './platform.ts';

export const node: Platform = {
  spawn: () => nodePort(new NodeWorker(new URL('../worker/node-worker.js', import.meta.url))),
  whole: true,
  adopt: (worker) => {
    const given: unknown = worker;
    return given instanceof NodeWorker ? nodePort(given) : webPort(worker);
  },
  locate,
  absolute: (url) => {
    const place = locate(url);
    return place.kind === 'path' ? pathToFileURL(place.path).href : (place as { url: string }).url;
  },
  directoryAt: (source) => Promise.resolve(directoryAt(source)),
  environment: () => Promise.resolve([engine(), memory()]),
  pictures: () => import('./node-pictures.ts'),
  allowsPages: (response) => response.headers.has('access-control-allow-origin'),
};

function nodePort(worker: NodeWorker): Port {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as NodeTransferable[]),
    listen: (onMessage, onCrash) => {
      worker.on('message', onMessage);
      worker.on('messageerror', (error) => onCrash(error.message));
      worker.on('error', (error) =>
        onCrash(error instanceof Error ? error.message : String(error)),
      );
      worker.on('exit', (code) => onCrash(`it exited with code ${code}`));
    },
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: async () => {
      await worker.terminate();
    },
  };
}

/** A string is a URL when it says so, and otherwise a path. */
function locate(source: string | URL): WireSource {
  const url = String(source);
  if (/^(https?|data|blob):/i.test(url)) return { kind: 'url', url };
  return { kind: 'path', path: /^file:/i.test(url) ? fileURLToPath(url) : url };
}

function directoryAt(source: WireSource): ModelDirectory | undefined {
  if (source.kind !== 'path') return undefined;
  const path = source.path;
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const besideWeights =
    path.endsWith('.safetensors') && existsSync(join(dirname(path), 'config.json'));
  if (!isDirectory && !besideWeights) return checkpointAt(path);
  const folder = isDirectory ? path : dirname(path);
  const files = new Map<string, { path: string }>();
  const known = [...kSideFiles, ...Object.keys(kOtherWeights), kWeights, kShardIndex];
  for (const name of known) {
    const file = join(folder, name);
    if (existsSync(file)) files.set(name, { path: file });
  }
  if (files.has(kShardIndex) && !files.has(kWeights)) {
    const shards = readdirSync(folder).filter((name) => kShards.test(name));
    for (const name of shards) files.set(name, { path: join(folder, name) });
  } else if (!isDirectory) {
    files.set(kWeights, { path });
  }
  return files;
}

/** A checkpoint of llama2.c with the tokenizer that lies beside it. */
function checkpointAt(path: string): ModelDirectory | undefined {
  const folder = dirname(path);
  if (!path.endsWith('.bin') || !existsSync(folder)) return undefined;
  const own = basename(path);
  const tokenizer = readdirSync(folder).find(
    (name) => name !== own && /^tok(enizer|\d+)\.bin$/.test(name),
  );
  if (tokenizer === undefined) return undefined;
  return new Map([
    [own, { path }],
    ['tokenizer.bin', { path: join(folder, tokenizer) }],
  ]);
}

function engine(): DoctorCheck {
  const major = Number(process.versions.node.split('.')[0]);
  return check('node', major >= 20, `Node ${process.versions.node}`, 'Install Node 20 or newer.');
}

function memory(): DoctorCheck {
  return check('memory', true, `${(totalmem() / 1e9).toFixed(1)} GB`, '');
}
