// The shipped module for pictures, without the package around it: networks loaded and run on this thread.
import { readFileSync } from 'node:fs';

/** As much of a file as its tables need. */
const headBytes = 65536;

export async function classifyModule(flavour) {
  const wasm = (file) => new URL(`../../../web/src/wasm/${file}`, import.meta.url);
  const { default: create } = await import(wasm('ambry-image-classifier.mjs').href);
  const compiled = await WebAssembly.compile(
    readFileSync(wasm(`ambry-image-classifier-${flavour}.wasm`)),
  );
  const ambry = await create({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(compiled, imports).then((instance) => receive(instance, compiled));
      return {};
    },
  });
  return new ImageClassifierModule(ambry);
}

function value(text) {
  const outcome = JSON.parse(text);
  if (outcome.error) {
    throw new Error(JSON.stringify(outcome.error));
  }
  return outcome.value;
}

class ImageClassifierModule {
  #ambry;

  constructor(ambry) {
    this.#ambry = ambry;
  }

  /** Streamed in chunks, as files are: the file's bytes are never whole in the heap. */
  load(file) {
    const parts = value(this.#ambry.createSource(file.length, false));
    value(this.#ambry.insert(parts, 0, file.subarray(0, headBytes)));
    const loader = value(this.#ambry.beginLoad('imageClassifier', parts, '{}'));
    this.#ambry.release(parts);
    const { start, wanted } = value(this.#ambry.sinkRange(loader));
    for (let at = start; at < start + wanted; ) {
      const { address, size } = value(this.#ambry.rangeOf(loader));
      this.#ambry.HEAPU8.set(file.subarray(at, at + size), address);
      value(this.#ambry.commit(loader, size));
      at += size;
    }
    return value(this.#ambry.finishLoad(loader));
  }

  release(session) {
    this.#ambry.release(session);
  }

  classify(session, input, options = {}) {
    const job = value(this.#ambry.beginClassify(session, JSON.stringify(options)));
    const { address } = value(this.#ambry.classifyTensor(job, input.length));
    this.#ambry.HEAPU8.set(new Uint8Array(input.buffer), address);
    value(this.#ambry.startClassify(job));
    while (!value(this.#ambry.stepClassify(job))) {}
    const result = value(this.#ambry.classified(job));
    this.#ambry.release(job);
    return result;
  }

  get heapBytes() {
    return this.#ambry.HEAPU8.length;
  }
}

/** What the processor spends on it: other work on the machine does not matter. */
export async function milliseconds(work) {
  const begin = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}
