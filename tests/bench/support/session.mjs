// A model in a shipped module, without the package around it: as much of the file as the parser asks for, then its
// weights in windows, as the package streams them.
import { unwrap } from './wasm-module.mjs';

export const encoderOf = (module, file) =>
  sessionOf(module, file, (parts) => module.beginLoad(parts, 'as-stored'), module.finishLoad);

export const generatorOf = (module, file, settings = {}) =>
  sessionOf(
    module,
    file,
    (parts) => module.beginGenerator(parts, JSON.stringify(settings)),
    module.finishGenerator,
  );

function sessionOf(module, file, begin, finish) {
  const parts = unwrap(module.createSource(file.length, false));
  for (;;) {
    const outcome = JSON.parse(begin(parts));
    if (outcome.error?.code === 'NeedBytes') {
      const { byteOffset, needSize } = outcome.error;
      unwrap(module.insert(parts, byteOffset, file.subarray(byteOffset, byteOffset + needSize)));
      continue;
    }
    const loader = unwrap(JSON.stringify(outcome));
    module.release(parts);
    fillSink(module, loader, file);
    const session = unwrap(finish(loader));
    module.release(loader);
    return session;
  }
}

function fillSink(module, sink, file) {
  const { start, wanted } = unwrap(module.sinkRange(sink));
  for (let at = start; at < start + wanted; ) {
    const { address, size } = unwrap(module.sinkWindow(sink));
    module.HEAPU8.set(file.subarray(at, at + size), address);
    unwrap(module.commit(sink, size));
    at += size;
  }
}
