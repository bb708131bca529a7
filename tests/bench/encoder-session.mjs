// A sentence encoder in the shipped module, without the package around it.
import { unwrap } from './wasm-module.mjs';

/** As much of the file as the parser asks for, then its weights in windows, as the package streams them. */
export function sessionOf(module, file) {
  const parts = unwrap(module.createSource(file.length, false));
  for (;;) {
    const outcome = JSON.parse(module.beginLoad(parts, 'as-stored'));
    if (outcome.error?.code === 'NeedBytes') {
      const { byteOffset, needSize } = outcome.error;
      unwrap(module.insert(parts, byteOffset, file.subarray(byteOffset, byteOffset + needSize)));
      continue;
    }
    const loader = unwrap(JSON.stringify(outcome));
    module.release(parts);
    const { start, wanted } = unwrap(module.sinkRange(loader));
    for (let at = start; at < start + wanted; ) {
      const { address, size } = unwrap(module.sinkWindow(loader));
      module.HEAPU8.set(file.subarray(at, at + size), address);
      unwrap(module.commit(loader, size));
      at += size;
    }
    const session = unwrap(module.finishLoad(loader));
    module.release(loader);
    return session;
  }
}
