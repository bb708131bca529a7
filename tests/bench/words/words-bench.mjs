// Word vectors in the shipped WebAssembly, on one core: opening a million words, looking them up, and the
// nearest ten of a million vectors of 300 numbers, as floats and as 150 codes. Ratios are of one run: to a
// plain read of the same memory, and to reconstructing every row. Build the modules first (npm run build).
//
//   node tests/bench/words/words-bench.mjs [WORDS]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { leastSeconds, plainReader } from '../support/plain-read.mjs';
import { randomNumbers, unwrap, wasmModules } from '../support/wasm-module.mjs';

const nWords = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 1_000_000);
const dim = 300;
const nSlices = 150;
const nCentroids = 256;
const referenceKernels = [
  'product_quantization/product_quantizer',
  'linear_algebra/row_products',
  'gemm/layout/packed_f32_matrix',
].map((name) => `../../../core/kernels/${name}.cpp`);
const targets = { scan: 0.7, codes: 4, open: 1.2, lookup: 2 };

const load = await wasmModules('ambry-words', 'baseline');
const random = randomNumbers();

const fields = (...values) => {
  const bytes = Buffer.alloc(values.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of values) {
    if (size === 8) {
      bytes.writeBigUInt64LE(BigInt(value), at);
    } else {
      bytes.writeUInt32LE(value, at);
    }
    at += size;
  }
  return bytes;
};
const u32 = (value) => [4, value];
const u64 = (value) => [8, value];

/** The head of a file (core/formats/finalfusion/README.md) up to its numbers, and how many there are. */
function makeHead(storage, storageFields, dataBytes) {
  const words = Array.from({ length: nWords }, (_, i) =>
    Buffer.from(`word${(i * 7919) % nWords}x${i}`),
  );
  const records = words.flatMap((word) => [fields(u32(word.length)), word]);
  const vocabularyBytes = words.reduce((sum, word) => sum + 4 + word.length, 8);
  const start = Buffer.concat([
    Buffer.from('FiFu'),
    fields(u32(0), u32(2), u32(1), u32(storage)),
    fields(u32(1), u64(vocabularyBytes), u64(nWords)),
    ...records,
  ]);
  const padding = 4 - ((start.length + 12 + storageFields.length) % 4);
  const length = storageFields.length + padding + dataBytes;
  const head = Buffer.concat([
    start,
    fields(u32(storage), u64(length)),
    storageFields,
    Buffer.alloc(padding),
  ]);
  return { head, vocabularyBytes, size: head.length + dataBytes };
}

/** As words/worker-store.ts does it; what follows the head is the same numbers again and again. */
function open(module, { head, size }, numbers) {
  const source = unwrap(module.createSource(size, false));
  // The parser asks for a little more than the head of this kind of storage.
  unwrap(module.insert(source, 0, Buffer.concat([head, numbers.subarray(0, 64)])));
  const begin = () => unwrap(module.beginLoad('words', source, '{}'));
  const seconds = leastSeconds(() => module.release(begin()), 3);
  const loader = begin();
  module.release(source);
  let at = unwrap(module.sinkRange(loader)).start;
  let rowsAt = 0;
  for (;;) {
    const window = unwrap(module.rangeOf(loader));
    if (window.size === 0) {
      break;
    }
    if (at === head.length) {
      rowsAt = window.address;
    }
    const from = Math.max(at - head.length, 0) % numbers.length;
    const part =
      at < head.length
        ? head.subarray(at, at + Math.min(window.size, head.length - at))
        : numbers.subarray(from, from + window.size);
    module.HEAPU8.set(part, window.address);
    unwrap(module.commit(loader, part.length));
    at += part.length;
  }
  const session = unwrap(module.finishLoad(loader));
  module.release(loader);
  return { session, seconds, rowsAt };
}

function say(what, value, unit, wanted, isEnough) {
  const verdict = wanted === undefined ? '' : ` (wanted ${wanted}${isEnough ? '' : ': MISSED'})`;
  console.log(`${what.padEnd(34)} ${value} ${unit}${verdict}`);
}

const query = new Uint8Array(Float32Array.from({ length: dim }, random).buffer);
const topTen = JSON.stringify({ k: 10 });

async function array() {
  const { module, memory } = await load();
  const rowBytes = dim * 4;
  const storage = fields(u64(nWords), u32(dim), u32(10));
  const file = makeHead(2, storage, nWords * rowBytes);
  const rows = Float32Array.from({ length: 4096 * dim }, random);
  const { session, seconds, rowsAt } = open(module, file, new Uint8Array(rows.buffer));
  const per100 = (seconds / file.vocabularyBytes) * 1e8;
  say(`vocabulary of ${(file.vocabularyBytes / 1e6).toFixed(1)} MB`, seconds.toFixed(2), 's');
  say('  for 100 MB of it', per100.toFixed(2), 's', `${targets.open} s`, per100 <= targets.open);

  const scan = leastSeconds(() => unwrap(module.wordsSimilarTo(session, query, topTen)));
  const bytes = nWords * rowBytes;
  const read = await plainReader(memory);
  const plain = leastSeconds(() => read(rowsAt, rowsAt + bytes));
  say('plain read of so much', (bytes / plain / 1e9).toFixed(2), 'GB/s');
  const share = plain / scan;
  say('nearest ten, floats', (bytes / scan / 1e9).toFixed(2), 'GB/s');
  say('  of a plain read', share.toFixed(2), '', targets.scan, share >= targets.scan);

  const asked = Array.from({ length: 20_000 }, (_, i) => {
    const word = (i * 48_271) % nWords;
    return `word${(word * 7919) % nWords}x${word}`;
  });
  const list = JSON.stringify(asked);
  const lookups = leastSeconds(() =>
    module.release(unwrap(module.wordVectors(session, list, false))),
  );
  const each = (lookups / asked.length) * 1e6;
  say(
    'a lookup, its JSON included',
    each.toFixed(2),
    'µs',
    `${targets.lookup} µs`,
    each <= targets.lookup,
  );
  return scan;
}

/** Seconds that the same search takes when every row is reconstructed, by the core's own kernels. */
async function reconstructing(codes, centroids) {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-words-bench-'));
  try {
    const target = join(folder, 'reference.wasm');
    const at = (path) => fileURLToPath(new URL(path, import.meta.url));
    const sources = ['reconstruct_and_dot.cpp', ...referenceKernels].map(at);
    const options = [
      ...[`-I${at('../../../core')}`, '-std=c++20', '-O3', '-DNDEBUG', '-msimd128'],
      ...['-fno-exceptions', '-fno-rtti', '--no-entry', '-sSTANDALONE_WASM'],
      ...['-sINITIAL_MEMORY=64MB', '-sEXPORTED_FUNCTIONS=_reconstructAndDot,_malloc', '-o', target],
    ];
    execFileSync('em++', [...sources, ...options], { stdio: ['ignore', 'inherit', 'ignore'] });
    const reference = await WebAssembly.compile(readFileSync(target));
    const { exports } = await WebAssembly.instantiate(reference);
    exports._initialize();
    const place = (bytes) => {
      const address = exports.malloc(bytes.length);
      new Uint8Array(exports.memory.buffer).set(bytes, address);
      return address;
    };
    const addresses = [place(codes), place(centroids), place(query)];
    const n = codes.length / nSlices;
    const [codesAt, ...rest] = addresses;
    const run = () => exports.reconstructAndDot(codesAt, n, nSlices, ...rest);
    return (leastSeconds(run) * nWords) / n;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function quantized() {
  const { module } = await load();
  const storage = fields(
    ...[u32(0), u32(0), u32(nSlices), u32(dim), u32(nCentroids), u64(nWords), u32(1), u32(10)],
  );
  const centroids = new Uint8Array(Float32Array.from({ length: nCentroids * dim }, random).buffer);
  const file = makeHead(4, storage, centroids.length + nWords * nSlices);
  const head = Buffer.concat([file.head, centroids]);
  const codes = Uint8Array.from({ length: 65_536 * nSlices }, () =>
    Math.floor((random() + 1) * 128),
  );
  const { session } = open(module, { head, size: file.size }, codes);
  const scan = leastSeconds(() => unwrap(module.wordsSimilarTo(session, query, topTen)));
  say('nearest ten, codes', ((scan / nWords) * 1e9).toFixed(1), 'ns a word');
  const slow = await reconstructing(codes, centroids);
  say('reconstruct and multiply', ((slow / nWords) * 1e9).toFixed(1), 'ns a word');
  const ratio = slow / scan;
  say('  as many times as long', ratio.toFixed(1), '', targets.codes, ratio >= targets.codes);
  return scan;
}

console.log(`${nWords} words of ${dim} numbers`);
const ofArray = await array();
const ofCodes = await quantized();
say('codes against floats', (ofArray / ofCodes).toFixed(1), 'times as fast');
