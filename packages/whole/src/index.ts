// Imported for its effect: it offers `ambry` a copy of its worker and of its WebAssembly, as text, which every bundler
// takes along. `ambry` fetches it where the script of a worker does not start (web/src/platform/other-ports.ts).

/** Where `ambry` looks for it. */
const key = Symbol.for('ambry-whole');

Object.assign(globalThis, { [key]: () => import('../embedded/embedded.js') });

export {};
