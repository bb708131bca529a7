// The thin ResNets of tinyRuntime's reference cases in the shipped WebAssembly, on one core, beside a plain
// scalar reading of the same arithmetic compiled natively (cnn_bench.cpp), in one run and by turns. Build the
// modules and the native benchmark first (npm run build; cmake --build --preset dev --target bench).
//
//   AMBRY_DATA=… node tests/bench/cnn-bench.mjs [baseline|relaxed] [path of cnn_bench]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const flavour = process.argv.find((word) => word === 'baseline') ?? 'relaxed';
const native =
  process.argv.find((word) => word.endsWith('cnn_bench')) ?? 'build/dev/tests/cnn_bench';
const kRuns = 15;
const kWanted = 2;
const kModels = [
  'r18w8_vanilla',
  'r18w8_dq8a64',
  'r18w8_dq8s64',
  'r18w8_sq8',
  'r50w4_vanilla',
  'r50w4_dq8a64',
  'r50w4_sq8',
];

const folder = join(process.env.AMBRY_DATA ?? '', 'tinyruntime');
const wasm = (file) => new URL(`../../web/src/wasm/${file}`, import.meta.url);
const { default: create } = await import(wasm('ambry-classify.mjs').href);
const compiled = await WebAssembly.compile(readFileSync(wasm(`ambry-classify-${flavour}.wasm`)));
const ambry = await create({
  instantiateWasm(imports, receive) {
    WebAssembly.instantiate(compiled, imports).then((instance) => receive(instance, compiled));
    return {};
  },
});

function value(text) {
  const outcome = JSON.parse(text);
  if (outcome.error) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}

function load(file) {
  const parts = value(ambry.createSource(file.length, false));
  value(ambry.insert(parts, 0, file));
  const loader = value(ambry.beginClassifier(parts));
  const { start, wanted } = value(ambry.sinkRange(loader));
  for (let at = start; at < start + wanted; ) {
    const { address, size } = value(ambry.sinkWindow(loader));
    ambry.HEAPU8.set(file.subarray(at, at + size), address);
    value(ambry.commit(loader, size));
    at += size;
  }
  return value(ambry.finishClassifier(loader));
}

/** Of the processor, as the native benchmark counts: other work on the machine does not matter. */
function milliseconds(session, input) {
  const begin = process.cpuUsage();
  const job = value(ambry.beginClassify(session, '{}'));
  const { address } = value(ambry.classifyTensor(job, input.length));
  ambry.HEAPU8.set(new Uint8Array(input.buffer), address);
  value(ambry.startClassify(job));
  while (!value(ambry.stepClassify(job)));
  value(ambry.classified(job));
  ambry.release(job);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

function twinMilliseconds(name) {
  const args = [`--benchmark_filter=^twin/${name}$`, '--benchmark_format=json'];
  const report = execFileSync(native, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(report).benchmarks[0].cpu_time;
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

const input = Float32Array.from({ length: 3 * 224 * 224 }, (_, i) => Math.sin(i * 0.37) * 2);
console.log(`${'network'.padEnd(16)} ${'scalar ms'.padStart(10)} ${flavour.padStart(10)}    ratio`);
for (const name of kModels) {
  const session = load(readFileSync(join(folder, 'models', `${name}.bin`)));
  const before = twinMilliseconds(name);
  const times = Array.from({ length: kRuns }, () => milliseconds(session, input));
  const scalar = (before + twinMilliseconds(name)) / 2;
  const ours = median(times);
  const ratio = scalar / ours;
  const cells = [scalar, ours].map((time) => time.toFixed(1).padStart(10));
  console.log(
    `${name.padEnd(16)} ${cells.join(' ')} ${ratio.toFixed(2).padStart(8)} (${kWanted} wanted)`,
  );
  ambry.release(session);
}
