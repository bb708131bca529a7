// Chooses the WebAssembly build by the page's address. `?flavour=baseline` computes the same on every machine.
// `?flavour=relaxed` takes the build with relaxed SIMD without a check whether the browser supports it. By default
// the package takes the fastest build that the browser supports.

import type { RuntimeOptions } from 'ambry';
import relaxedUrl from 'ambry/ambry-relaxed.wasm?url';

export type Runtime = Pick<RuntimeOptions, 'deterministic' | 'wasmUrl'>;

export function runtimeFor(search: string): Runtime {
  const flavour = new URLSearchParams(search).get('flavour');
  if (flavour === 'relaxed') return { wasmUrl: new URL(relaxedUrl, document.baseURI) };
  return { deterministic: flavour === 'baseline' };
}
