// The thin ResNets of tinyRuntime's reference cases in the shipped WebAssembly, on one core, beside a plain
// scalar reading of the same arithmetic compiled natively (cnn_bench.cpp), in one run and by turns. Build the
// modules and the native benchmark first (npm run build; cmake --build --preset dev --target bench).
//
//   AMBRY_DATA=… node tests/bench/cnn/cnn-bench.mjs [baseline|relaxed] [path of cnn_bench]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../support/median.mjs';
import { classifyModule, milliseconds } from './classify-module.mjs';

const flavour = process.argv.find((word) => word === 'baseline') ?? 'relaxed';
const native =
  process.argv.find((word) => word.endsWith('cnn_bench')) ?? 'build/dev/tests/cnn_bench';
const nRuns = 15;
const targetRatio = 2;
const modelNames = [
  'r18w8_vanilla',
  'r18w8_dq8a64',
  'r18w8_dq8s64',
  'r18w8_sq8',
  'r50w4_vanilla',
  'r50w4_dq8a64',
  'r50w4_sq8',
];

const folder = join(process.env.AMBRY_DATA ?? '', 'tinyruntime');
const ambry = await classifyModule(flavour);

function referenceMilliseconds(name) {
  const args = [`--benchmark_filter=^reference/${name}$`, '--benchmark_format=json'];
  const report = execFileSync(native, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(report).benchmarks[0].cpu_time;
}

const input = Float32Array.from({ length: 3 * 224 * 224 }, (_, i) => Math.sin(i * 0.37) * 2);
console.log(`${'network'.padEnd(16)} ${'scalar ms'.padStart(10)} ${flavour.padStart(10)}    ratio`);
for (const name of modelNames) {
  const session = ambry.load(readFileSync(join(folder, 'models', `${name}.bin`)));
  const before = referenceMilliseconds(name);
  const times = [];
  for (let run = 0; run < nRuns; ++run) {
    times.push(await milliseconds(() => ambry.classify(session, input)));
  }
  const scalar = (before + referenceMilliseconds(name)) / 2;
  const ours = median(times);
  const ratio = scalar / ours;
  const cells = [scalar, ours].map((time) => time.toFixed(1).padStart(10));
  console.log(
    `${name.padEnd(16)} ${cells.join(' ')} ${ratio.toFixed(2).padStart(8)} (${targetRatio} wanted)`,
  );
  ambry.release(session);
}
