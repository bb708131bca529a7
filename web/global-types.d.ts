// Names of the DOM in the types of the package, for programs whose libraries lack them, such as those in Node. Where the DOM
// is known, they merge with its own, as only interfaces do.
// biome-ignore-all lint/suspicious/noEmptyInterface: see above
interface Worker {}
interface ImageBitmap {}
interface OffscreenCanvas {}
declare namespace WebAssembly {
  interface Module {}
  interface Memory {}
}
