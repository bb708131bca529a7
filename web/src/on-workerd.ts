// `ambry` in workerd, which compiles no bytes: its bundler makes a module of the file in the package ambry-whole. Its
// platform finds it under this key (entries/browser-in-thread.ts). web/build/bundle.mjs takes in-thread.js for index.js here.
import wasmModule from 'ambry-whole/ambry-baseline.wasm';

Object.assign(globalThis, { [Symbol.for('ambry-module')]: wasmModule });

export * from './index.ts';
