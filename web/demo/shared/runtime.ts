// `?flavour=baseline` or `?flavour=relaxed` forces one of the two WebAssembly builds; without it the
// package picks the one this browser can run.

import type { RuntimeOptions } from 'ambry';
import baselineUrl from 'ambry/ambry-baseline.wasm?url';
import relaxedUrl from 'ambry/ambry-relaxed.wasm?url';

export type Runtime = Pick<RuntimeOptions, 'wasmUrl'>;

export function runtimeFor(search: string): Runtime {
  const flavour = new URLSearchParams(search).get('flavour');
  const urls: Readonly<Record<string, string>> = { baseline: baselineUrl, relaxed: relaxedUrl };
  const url = flavour === null ? undefined : urls[flavour];
  return url === undefined ? {} : { wasmUrl: new URL(url, document.baseURI) };
}
