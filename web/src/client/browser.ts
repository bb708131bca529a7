// The browser's side of the platform.
import { webPort } from '../rpc/port.ts';
import type { Platform } from './platform.ts';

export const browser: Platform = {
  spawn: (purpose) =>
    // Spelled out so that bundlers see them.
    webPort(
      purpose === 'run'
        ? new Worker(new URL('../worker/run-worker.js', import.meta.url), { type: 'module' })
        : new Worker(new URL('../worker/worker.js', import.meta.url), { type: 'module' }),
    ),
  adopt: webPort,
  locate: (source) => ({ kind: 'url', url: absolute(source) }),
  absolute,
  directoryAt: () => Promise.resolve(undefined),
  environment: async () => (await import('./browser-environment.ts')).environment(),
  allowsPages: () => undefined,
};

function absolute(url: string | URL): string {
  return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href).href;
}
