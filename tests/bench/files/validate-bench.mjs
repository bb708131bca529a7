// Throughput of validation in the shipped WebAssembly, on one core: a 100 MB EMBD file, of floats or of
// int8, with all three checksums, and with a look at every number; beside a plain read of the same buffer in the same
// WebAssembly memory. Build the modules first (npm run build).
//
//   node tests/bench/files/validate-bench.mjs [baseline|relaxed]
import { crc32 } from 'node:zlib';
import { leastSeconds, plainReader } from '../support/plain-read.mjs';
import { wasmModules } from '../support/wasm-module.mjs';

const flavour = process.argv.find((word) => word === 'baseline') ?? 'relaxed';
const nRuns = 5;
const tensorBytes = 4_194_304;
const nTensors = 24;
const targetSpeeds = { structure: 1.5, values: 0.7 };

const { module: ambry } = await (await wasmModules('ambry', flavour))();

/** Layout F0 (core/formats/embd/README.md): matrices of small numbers as weights are. */
function makeFile({ code, bytes }) {
  const names = Array.from({ length: nTensors }, (_, i) => `tensor.${String(i).padStart(2, '0')}`);
  const namesAt = 72 + nTensors * 32;
  const dataAt = Math.ceil((namesAt + names.join('').length) / 64) * 64;
  const dataBytes = nTensors * tensorBytes;
  const file = Buffer.alloc(dataAt + dataBytes + 16);
  file.write('EMBD', 0, 'latin1');
  file.writeUInt16LE(1, 4);
  file.writeUInt32LE(2 | 4, 8); // aligned, with checksums
  file.writeUInt32LE(64, 12);
  file.writeUInt32LE(8, 16); // an empty metadata section
  file.writeUInt32LE(72, 28);
  file.writeUInt32LE(nTensors, 32);
  file.writeUInt32LE(dataAt, 36);
  file.writeBigUInt64LE(BigInt(dataBytes), 40);
  file.writeBigUInt64LE(BigInt(file.length), 48);
  names.forEach((name, i) => {
    const at = 72 + i * 32;
    const hash = [...Buffer.from(name)].reduce(
      (sum, byte) => Math.imul(sum ^ byte, 0x01000193) >>> 0,
      0x811c9dc5,
    );
    file.writeUInt32LE(hash, at);
    file.writeUInt8(code, at + 4);
    file.writeUInt8(2, at + 5);
    file.writeUInt16LE(name.length, at + 6);
    file.writeUInt32LE(tensorBytes / bytes / 384, at + 8);
    file.writeUInt32LE(384, at + 12);
    file.writeBigUInt64LE(BigInt(i * tensorBytes), at + 24);
  });
  file.write(names.join(''), namesAt, 'latin1');
  let state = 1;
  const numbers =
    bytes === 1
      ? new Int8Array(file.buffer, file.byteOffset + dataAt, dataBytes)
      : new Float32Array(file.buffer, file.byteOffset + dataAt, dataBytes / 4);
  const size = bytes === 1 ? 254 : 0.1;
  for (let i = 0; i < numbers.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    numbers[i] = (state / 2 ** 32 - 0.5) * size;
  }
  const end = file.length - 16;
  file.writeUInt32LE(crc32(file.subarray(0, 56)), 56);
  file.writeUInt32LE(crc32(file.subarray(dataAt, end)), end);
  file.writeUInt32LE(crc32(file.subarray(0, end)), end + 4);
  file.write('DBME', end + 8, 'latin1');
  return new Uint8Array(file.buffer, file.byteOffset, file.length);
}

function unwrap(text) {
  const outcome = JSON.parse(text);
  if ('error' in outcome) {
    throw new Error(JSON.stringify(outcome.error));
  }
  return outcome.value;
}

/** As runtime/worker-parts.ts does it. */
function validate(file, values) {
  const source = unwrap(ambry.createSource(file.length, false));
  unwrap(ambry.insert(source, 0, file.subarray(0, 65_536)));
  unwrap(ambry.insert(source, file.length - 16, file.subarray(file.length - 16)));
  const validation = unwrap(ambry.beginValidation(source, false, values, true, true));
  for (let at = 0; at < file.length; ) {
    const window = unwrap(ambry.rangeOf(validation));
    const size = Math.min(window.size, file.length - at);
    ambry.HEAPU8.set(file.subarray(at, at + size), window.address);
    unwrap(ambry.commit(validation, size));
    at += size;
  }
  const report = unwrap(ambry.finishValidation(validation));
  ambry.release(validation);
  ambry.release(source);
  const bad = report.errors.filter(({ code }) => code === 'Mismatch');
  if (bad.length > 0) {
    throw new Error(JSON.stringify(bad));
  }
  return report;
}

/** Copies bytes into WebAssembly memory and reads them there. */
async function chunkReader() {
  const chunkBytes = 262_144;
  const memory = new WebAssembly.Memory({ initial: 16 });
  const read = await plainReader(memory);
  const heap = new Uint8Array(memory.buffer);
  return (file) => {
    let sum = 0n;
    for (let at = 0; at + chunkBytes <= file.length; at += chunkBytes) {
      heap.set(file.subarray(at, at + chunkBytes));
      sum ^= read(0, chunkBytes);
    }
    return sum;
  };
}

/** GB a second of one core. */
const speed = (bytes, run) => bytes / leastSeconds(run, nRuns) / 1e9;

const embdTypes = { f32: { code: 0, bytes: 4 }, int8: { code: 5, bytes: 1 } };
const read = await chunkReader();
for (const [type, stored] of Object.entries(embdTypes)) {
  const file = makeFile(stored);
  const plain = speed(file.length, () => read(file));
  console.log(`${(file.length / 1e6).toFixed(0)} MB EMBD ${type}, ${flavour}, best of ${nRuns}`);
  console.log(`plain read            ${plain.toFixed(2)} GB/s`);
  for (const [name, values] of [
    ['structure', false],
    ['values', true],
  ]) {
    const found = speed(file.length, () => validate(file, values));
    const wanted = targetSpeeds[name];
    console.log(
      `validate, ${name.padEnd(10)}  ${found.toFixed(2)} GB/s, ${(found / plain).toFixed(2)} of a plain read` +
        ` (wanted ${wanted} GB/s${found < wanted ? ': MISSED' : ''})`,
    );
  }
}
