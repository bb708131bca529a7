// `?flavour=baseline` takes the WebAssembly build that computes the same on every machine, `?flavour=relaxed` the
// other one even if this browser seems not to run it; without it the package picks the fastest that it can run.

import type { RuntimeOptions } from 'ambry';
import relaxedUrl from 'ambry/ambry-relaxed.wasm?url';

export type Runtime = Pick<RuntimeOptions, 'deterministic' | 'wasmUrl'>;

export function runtimeFor(search: string): Runtime {
  const flavour = new URLSearchParams(search).get('flavour');
  if (flavour === 'relaxed') return { wasmUrl: new URL(relaxedUrl, document.baseURI) };
  return { deterministic: flavour === 'baseline' };
}
