// Throughput and memory of quantization in the shipped WebAssembly, on one core: a 400 MB AMB file of
// fp32 in a temporary folder becomes INT4BLOCK, read and written as convert/worker-convert-job.ts does it. Build the
// modules first (npm run build).
//
//   node tests/bench/files/quantize-bench.mjs [baseline|relaxed] [TYPE]
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const flavours = ['baseline', 'relaxed'];
const words = process.argv.slice(2);
const flavour = words.find((word) => flavours.includes(word)) ?? 'relaxed';
const type = words.find((word) => !flavours.includes(word)) ?? 'int4_block';
const nRuns = 3;
const tensorShape = [4096, 1024];
const nTensors = 24;
const targets = { speed: 150, heap: 200 };

const wasm = (file) => new URL(`../../../web/src/wasm/${file}`, import.meta.url);
const { default: create } = await import(wasm('ambry.mjs').href);
const compiled = await WebAssembly.compile(readFileSync(wasm(`ambry-${flavour}.wasm`)));

/** core/formats/amb/README.md. Numbers as weights are, about normal. */
function makeFile(path) {
  const header = Buffer.alloc(28);
  const texts = ['{"name":"bench"}', '{}'];
  texts[1] = texts[1].padEnd(128 - 28 - texts[0].length);
  const weights = new Float32Array(tensorShape[0] * tensorShape[1]);
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  for (let i = 0; i < weights.length; i++) {
    weights[i] = (random() + random() + random()) * 0.05;
  }
  const records = Array.from({ length: nTensors }, (_, i) => {
    const name = `layer.${String(i).padStart(2, '0')}`;
    const record = Buffer.alloc(2 + name.length + 1 + 8 + 1 + 8);
    record.writeUInt16LE(name.length, 0);
    record.write(name, 2);
    let at = 2 + name.length;
    at = record.writeUInt8(2, at);
    for (const extent of tensorShape) {
      at = record.writeUInt32LE(extent, at);
    }
    record.writeBigUInt64LE(BigInt(weights.byteLength), at + 1);
    return record;
  });
  const padded = Math.ceil((records[0].length + weights.byteLength) / 8) * 8;
  header.write('AMBEE', 0, 'latin1');
  header.writeUInt8(1, 5);
  header.writeUInt32LE(texts[0].length, 8);
  header.writeUInt32LE(texts[1].length, 12);
  header.writeBigUInt64LE(BigInt(nTensors * padded), 20);
  const file = openSync(path, 'w');
  writeSync(file, header);
  for (const text of texts) {
    writeSync(file, text);
  }
  for (const record of records) {
    writeSync(file, record);
    writeSync(file, weights);
    writeSync(file, Buffer.alloc(padded - record.length - weights.byteLength));
  }
  closeSync(file);
  return 128 + nTensors * padded;
}

function unwrap(text) {
  const outcome = JSON.parse(text);
  if ('error' in outcome) {
    throw new Error(JSON.stringify(outcome.error));
  }
  return outcome.value;
}

/** As runtime/worker-parts.ts and convert/worker-convert-job.ts do it; gives the size of the target and of the heap. */
async function quantize(path, size, output) {
  const ambry = await create({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(compiled, imports).then((instance) => receive(instance, compiled));
      return {};
    },
  });
  const source = openSync(path, 'r');
  const target = openSync(output, 'w');
  const read = (offset, bytes) => {
    const block = Buffer.alloc(bytes);
    readSync(source, block, 0, bytes, offset);
    return block;
  };
  const parts = unwrap(ambry.createSource(size, false));
  const files = unwrap(ambry.createFiles());
  unwrap(ambry.addWeights(files, '', parts));
  const options = JSON.stringify({ to: 'amb', quantize: { type } });
  let conversion;
  while (conversion === undefined) {
    const begun = JSON.parse(ambry.beginConversion(files, options, 0));
    if (begun.error?.code === 'NeedBytes') {
      const { byteOffset, needSize } = begun.error;
      const wanted = Math.min(Math.max(needSize, 65_536), size - byteOffset);
      unwrap(ambry.insert(parts, byteOffset, read(byteOffset, wanted)));
    } else if (begun.error) {
      throw new Error(JSON.stringify(begun.error));
    } else {
      conversion = begun.value;
    }
  }
  let end = 0;
  for (;;) {
    const step = unwrap(ambry.nextStep(conversion));
    if (step.kind === 'done') {
      break;
    }
    const { address, size: bytes } = step.block;
    if (step.kind === 'read') {
      ambry.HEAPU8.set(read(step.offset, bytes), address);
    } else {
      writeSync(target, ambry.HEAPU8.slice(address, address + bytes), 0, bytes, step.offset);
      end = Math.max(end, step.offset + bytes);
    }
  }
  closeSync(source);
  closeSync(target);
  return { bytes: end, heap: ambry.HEAPU8.length };
}

const folder = mkdtempSync(join(tmpdir(), 'ambry-bench-'));
try {
  const path = join(folder, 'float.amb');
  const size = makeFile(path);
  let best = Number.POSITIVE_INFINITY;
  let made;
  for (let i = 0; i < nRuns; i++) {
    const start = process.cpuUsage();
    made = await quantize(path, size, join(folder, 'small.amb'));
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  const speed = size / best;
  const heap = made.heap / 1e6;
  const missed = (yes) => (yes ? ': MISSED' : '');
  console.log(
    `${(size / 1e6).toFixed(0)} MB AMB fp32 → ${(made.bytes / 1e6).toFixed(0)} MB ${type}, ${flavour}, best of ${nRuns}`,
  );
  console.log(
    `quantize  ${speed.toFixed(0)} MB/s (wanted ${targets.speed}${missed(speed < targets.speed)}), ` +
      `heap ${heap.toFixed(0)} MB (at most ${targets.heap}${missed(heap > targets.heap)})`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
