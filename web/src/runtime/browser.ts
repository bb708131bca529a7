// The browser's side of the platform.
import { webPort } from '../rpc/port.ts';
import type { Platform, Purpose } from './platform.ts';

// Spelled out so that bundlers see them.
const kWorkers: Record<Purpose, () => Worker> = {
  run: () => new Worker(new URL('../workers/run-worker.js', import.meta.url), { type: 'module' }),
  keptRun: () =>
    new Worker(new URL('../workers/kept-run-worker.js', import.meta.url), { type: 'module' }),
  words: () =>
    new Worker(new URL('../workers/words-worker.js', import.meta.url), { type: 'module' }),
  classify: () =>
    new Worker(new URL('../workers/classify-worker.js', import.meta.url), { type: 'module' }),
  generate: () =>
    new Worker(new URL('../workers/generate-worker.js', import.meta.url), { type: 'module' }),
  inspect: () =>
    new Worker(new URL('../workers/inspect-worker.js', import.meta.url), { type: 'module' }),
  tokenize: () =>
    new Worker(new URL('../workers/tokenize-worker.js', import.meta.url), { type: 'module' }),
  convert: () =>
    new Worker(new URL('../workers/convert-worker.js', import.meta.url), { type: 'module' }),
  keep: () => new Worker(new URL('../workers/keep-worker.js', import.meta.url), { type: 'module' }),
  all: () => new Worker(new URL('../workers/worker.js', import.meta.url), { type: 'module' }),
};

/** Whoever has converted has its WebAssembly at hand, which looks into files as well. */
let hasConverted = false;

export const browser: Platform = {
  spawn: (purpose) => {
    hasConverted ||= purpose === 'convert';
    return webPort(kWorkers[purpose === 'inspect' && hasConverted ? 'convert' : purpose]());
  },
  adopt: webPort,
  locate: (source) => ({ kind: 'url', url: absolute(source) }),
  absolute,
  directoryAt: () => Promise.resolve(undefined),
  environment: async () => (await import('../doctor/browser-environment.ts')).environment(),
  allowsPages: () => undefined,
};

function absolute(url: string | URL): string {
  return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href).href;
}
