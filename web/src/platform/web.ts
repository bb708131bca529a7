// What all platforms but Node have in common.
import { AmbryError } from '../base/errors.ts';
import { webPort } from '../rpc/port.ts';
import { isUrlOfDirectory } from '../sources/http/url.ts';
import type { Platform } from './platform.ts';

export const web: Omit<Platform, 'spawn' | 'cores'> = {
  adopt: webPort,
  locate: (source) => ({ kind: 'url', url: absolute(source) }),
  absolute,
  isDirectory: isUrlOfDirectory,
  directoryAt: () => Promise.resolve(undefined),
  allowsPages: () => undefined,
};

function absolute(url: string | URL): string {
  const { document, location } = globalThis as Partial<
    Pick<typeof globalThis, 'document' | 'location'>
  >;
  try {
    return new URL(url, document?.baseURI ?? location?.href).href;
  } catch (cause) {
    const message = `Not an address, or relative to none: ${String(url).slice(0, 100)}`;
    throw new AmbryError('BadValue', message, { path: 'source', cause });
  }
}
