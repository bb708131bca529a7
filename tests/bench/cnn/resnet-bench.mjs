// A full ResNet-18 of random weights on one picture of 224 × 224, on one core: our WebAssembly, vanilla and
// SQ8, beside onnxruntime-web on the same network, by turns in one run. onnxruntime-web is no dependency
// of the repository, for it is 139 MB: install it anywhere and name its folder.
//
//   npm install --prefix /tmp/ort onnxruntime-web@1.30.0
//   node tests/bench/cnn/resnet-bench.mjs /tmp/ort/node_modules/onnxruntime-web [baseline|relaxed]
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from '../support/median.mjs';
import { onnxruntime } from '../support/onnxruntime.mjs';
import { roofline } from '../support/roofline.mjs';
import { classifyModule, milliseconds } from './classify-module.mjs';
import { onnxResnet } from './onnx-resnet.mjs';
import { resnet18, staticFile, vanillaFile } from './resnet18.mjs';

const nRounds = 9;
const folder = process.argv[2];
const flavour = process.argv[3] ?? 'relaxed';

const network = resnet18();
const input = Float32Array.from({ length: 3 * 224 * 224 }, (_, i) => Math.sin(i * 0.37) * 2);

/** A module of its own for each network, so that its heap is the network's. */
async function ours(file, options) {
  const module = await classifyModule(flavour);
  const session = module.load(file);
  return {
    run: () => module.classify(session, input, options).logits,
    heap: () => module.heapBytes - file.length,
  };
}

async function theirs() {
  const ort = await onnxruntime(pathToFileURL(`${resolve(folder)}/`));
  const session = await ort.InferenceSession.create(onnxResnet(network));
  const tensor = new ort.Tensor('float32', input, [1, 3, 224, 224]);
  return async () => Object.values(await session.run({ x: tensor }))[0].data;
}

const vanilla = vanillaFile(network);
const runners = {
  exact: await ours(vanilla, {}),
  fast: await ours(vanilla, { mode: 'fast' }),
  sq8: await ours(staticFile(network), {}),
  ...(folder && { onnxruntime: { run: await theirs() } }),
};
const logits = {};
for (const [name, { run }] of Object.entries(runners)) {
  logits[name] = Array.from(await run());
}
const times = Object.fromEntries(Object.keys(runners).map((name) => [name, []]));
for (let round = 0; round < nRounds; ++round) {
  for (const [name, { run }] of Object.entries(runners)) {
    times[name].push(await milliseconds(run));
  }
}

const difference = (a, b) => Math.max(...a.map((v, i) => Math.abs(v - b[i])));
const size = Math.max(...logits.exact.map(Math.abs));
for (const [name, { heap }] of Object.entries(runners)) {
  const apart = (difference(logits[name], logits.exact) / size).toExponential(1);
  const more = heap ? `, heap ${(heap() / 1e6).toFixed(1)} MB above the file` : '';
  console.log(
    `${name.padEnd(12)} ${median(times[name]).toFixed(1).padStart(8)} ms, ${apart} from exact${more}`,
  );
}

/** The operations of the network on one picture: 1.81 billion products, with as many sums. */
const operations = 3.63e9;
const limit = (await roofline())[`${flavour} f32`];
const exactRate = operations / median(times.exact) / 1e6;
console.log(
  `exact does ${exactRate.toFixed(0)} G operations a second, ${((100 * exactRate) / limit).toFixed(0)} % of ${limit.toFixed(0)} in registers`,
);

/** By rounds, so that whatever else the machine does weighs on both. */
function ratio(slow, fast, wanted) {
  const ratios = times[slow].map((time, i) => time / times[fast][i]);
  console.log(
    `${fast} is ${median(ratios).toFixed(2)} times as fast as ${slow} (${wanted} wanted)`,
  );
}
if (folder) {
  ratio('onnxruntime', 'fast', 2);
}
if (folder) {
  ratio('onnxruntime', 'exact', 1.2);
}
ratio('exact', 'sq8', 1.5);
ratio('fast', 'sq8', 1.5);
