// The platform of workerd, which compiles no bytes: its bundler makes a module of the file. web/bundle.mjs puts it in the
// place of browser.ts.
import type { Platform } from '../runtime/platform.ts';
import wasmModule from '../wasm/ambry-baseline.wasm';
import { browser as inThread } from './browser-in-thread.ts';

export const browser: Platform = { ...inThread, wasmModule };
