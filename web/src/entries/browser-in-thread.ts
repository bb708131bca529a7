// The platform of `ambry/in-thread`: everything runs on the caller's thread, and no code is loaded later. web/build/bundle.mjs
// puts it in the place of browser.ts.
import type { Platform } from '../platform/platform.ts';
import { web } from '../platform/web.ts';
import { inThreadPort } from './workers/in-thread.ts';

/** Where the entry of workerd (on-workerd.ts) puts the compiled WebAssembly. */
const moduleKey = Symbol.for('ambry-module');

export const browser: Platform = {
  ...web,
  spawn: inThreadPort,
  cores: () => 1,
  get wasmModule() {
    return Reflect.get(globalThis, moduleKey) as WebAssembly.Module | undefined;
  },
};
