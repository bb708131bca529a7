// Chooses the WebAssembly build by the page's address. `?flavour=baseline` computes the same on every machine. By default the
// package takes the fastest build that the browser supports.

import type { RuntimeOptions } from 'ambry';

export type Runtime = Pick<RuntimeOptions, 'deterministic'>;

export function runtimeFor(search: string): Runtime {
  return { deterministic: new URLSearchParams(search).get('flavour') === 'baseline' };
}
