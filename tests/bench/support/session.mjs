// A model in a shipped module, without the package around it: as much of the file as the parser asks for, then its
// weights in windows, as the package streams them.
import { unwrap } from './wasm-module.mjs';

export const encoderOf = (module, file) => sessionOf(module, file, 'encoder');

export const generatorOf = (module, file, settings = {}) =>
  sessionOf(module, file, 'generator', settings);

function sessionOf(module, file, kind, settings = {}) {
  const parts = unwrap(module.createSource(file.length, false));
  for (;;) {
    const outcome = JSON.parse(module.beginLoad(kind, parts, JSON.stringify(settings)));
    if (outcome.error?.code === 'NeedBytes') {
      const { byteOffset, needSize } = outcome.error;
      unwrap(module.insert(parts, byteOffset, file.subarray(byteOffset, byteOffset + needSize)));
      continue;
    }
    const loader = unwrap(JSON.stringify(outcome));
    module.release(parts);
    fillSink(module, loader, file);
    const session = unwrap(module.finishLoad(loader));
    module.release(loader);
    return session;
  }
}

function fillSink(module, sink, file) {
  const { start, wanted } = unwrap(module.sinkRange(sink));
  for (let at = start; at < start + wanted; ) {
    const { address, size } = unwrap(module.rangeOf(sink));
    module.HEAPU8.set(file.subarray(at, at + size), address);
    unwrap(module.commit(sink, size));
    at += size;
  }
}
