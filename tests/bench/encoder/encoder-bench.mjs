// Embedding with a MiniLM-L6-shaped encoder of random weights on one thread: our WebAssembly, tokenization
// included, beside onnxruntime-web on the same weights without one, in f32 and int8, by turns in one run; in Node,
// or with --chromium in a page.
//
// Build first (npm run build).
//
//   npm install --prefix /tmp/ort onnxruntime-web@1.30.0
//   node tests/bench/encoder/encoder-bench.mjs /tmp/ort/node_modules/onnxruntime-web [LAYERS WIDTH] [--chromium]
//        [--batches 1x16,4x16,16x64] [--json FILE]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { convert } from '../../../dist/node.js';
import { besideOnnxruntime } from '../support/beside-onnxruntime.mjs';
import { median } from '../support/median.mjs';
import { printLimits } from '../support/roofline.mjs';
import { embdFile, onnxEncoder, randomEncoder } from './encoder-model.mjs';

/** Texts and tokens of each. */
const defaultBatches = '1x8,1x128,8x32,32x32';
/** Ours : theirs, at least, by batches. */
const targetRatios = {
  'relaxed f32 : f32': { '1x8': 1.7, '1x128': 1.7, '8x32': 1.7, '32x32': 1.7 },
  'relaxed int8 : int8': { '1x8': 2.2, '1x128': 2.2, '8x32': 2.2, '32x32': 2.2 },
  'relaxed int8 : f32': { '1x128': 4.5, '8x32': 4.5, '32x32': 4.5 },
  'baseline int8 : int8': { '1x128': 1.3, '8x32': 1.3, '32x32': 1.3 },
};
const nComparedTexts = 1000;
const minCosine = 0.999;
/** The heap may be as large as this share of the file and this many bytes. */
const heapShare = 1.15;
const heapAllowance = 16e6;
/** The share of the time until onnxruntime-web is ready that ours may take, by type. */
const readyShares = { f32: 1, int8: 1 / 4 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    batches: { type: 'string', default: defaultBatches },
    chromium: { type: 'boolean' },
    json: { type: 'string' },
  },
});
const [folder, layers = 6, width = 384] = positionals;
const shape = { layers: Number(layers), width: Number(width), inner: 4 * width, vocabulary: 30522 };
const batches = values.batches.split(',').map((batch) => batch.split('x').map(Number));
/** The weights of all linear layers. */
const nWeights = shape.layers * (4 * shape.width ** 2 + 2 * shape.width * shape.inner);
const weightBytes = { 'relaxed f32': 4 * nWeights, 'relaxed int8': nWeights };

async function makeFiles() {
  /** As many as ours assumes of a file that does not say. */
  const heads = shape.width / (shape.width <= 384 ? 32 : 64);
  const model = randomEncoder({ ...shape, heads });
  const f32 = embdFile(model);
  const int8 = await convert(new Blob([f32]), { dtype: 'int8' });
  return {
    files: { f32, int8: Buffer.from(await int8.arrayBuffer()) },
    onnxFiles: folder && { f32: onnxEncoder(model, false), int8: onnxEncoder(model, true) },
  };
}

async function measured() {
  const task = { width: shape.width, batches, nCompared: nComparedTexts, weightBytes };
  const where = { folder, chromium: values.chromium };
  return besideOnnxruntime('encoder/encoder-runs.mjs', task, await makeFiles(), where);
}

/** Operations of a pass: a multiplication and an addition each. */
function operations({ nTexts, nTokens }) {
  const attention = 2 * nTokens * shape.width * shape.layers;
  return 2 * nTexts * nTokens * (nWeights + attention);
}

const { results, facts, limits, leastCosines } = await measured();
const cell = (text) => String(text).padStart(29);

const environment = values.chromium ? 'Chromium' : 'Node';
console.log(`encoder of ${shape.layers} layers, ${shape.width} wide, in ${environment}`);
printLimits(limits);
console.log('milliseconds, G operations a second, share of the most, least cosine to f32');
console.log(''.padEnd(16) + results.map((r) => cell(`${r.nTexts} x ${r.nTokens}`)).join(''));
for (const name of Object.keys(facts)) {
  const cells = results.map((r) => {
    const time = median(r.times[name]);
    const rate = operations(r) / time / 1e6;
    const share = limits[name] ? `${((100 * rate) / limits[name]).toFixed(0)} %` : '';
    const shown = `${rate.toFixed(0).padStart(5)} ${share.padStart(5)}`;
    return cell(`${time.toFixed(2)} ${shown} ${r.cosines[name].toFixed(5)}`);
  });
  console.log(name.padEnd(16) + cells.join(''));
}
for (const name of Object.keys(weightBytes)) {
  const cells = results.map(({ reads, times }) => {
    const read = median(reads[name]);
    return cell(`${read.toFixed(2)} ${((100 * read) / median(times[name])).toFixed(0)} %`);
  });
  console.log(name.padEnd(16) + cells.join(''), ' a plain read of the weights, of the time');
}
for (const [name, least] of Object.entries(leastCosines)) {
  const verdict = least < minCosine ? ' MISSED' : '';
  console.log(
    `${name}: least cosine to f32 of ${nComparedTexts} texts ${least.toFixed(5)} of ${minCosine}${verdict}`,
  );
}
for (const [name, { ready, copy, heap, size }] of Object.entries(facts)) {
  const most = heapShare * size + heapAllowance;
  const held = heap
    ? `, heap ${(heap / 1e6).toFixed(1)} MB of at most ${(most / 1e6).toFixed(1)}${heap > most ? ' MISSED' : ''}, a copy to fresh memory ${copy.toFixed(0)} ms`
    : '';
  const type = name.split(' ').at(-1);
  const other = heap && facts[type]?.ready;
  const share = (which) => {
    const verdict = other && ready[which] > readyShares[type] * other[which] ? ' MISSED' : '';
    return other ? ` (${(ready[which] / other[which]).toFixed(2)} of theirs${verdict})` : '';
  };
  console.log(
    `${name.padEnd(16)} ready in ${ready.first.toFixed(0)} ms the first time${share('first')}, then ${ready.usual.toFixed(0)}${share('usual')}${held}`,
  );
}
const ratios = {};
for (const [pair, wanted] of Object.entries(folder ? targetRatios : {})) {
  const [fast, slow] = pair.split(' : ');
  const cells = results.map(({ nTexts, nTokens, times }) => {
    const batch = `${nTexts}x${nTokens}`;
    const goal = wanted[batch];
    const ratio = median(times[slow].map((time, i) => time / times[fast][i]));
    ratios[pair] = { ...ratios[pair], [batch]: ratio };
    const verdict = goal === undefined ? '' : ` of ${goal}${ratio < goal ? ' MISSED' : ''}`;
    return cell(`${ratio.toFixed(2)}${verdict}`);
  });
  console.log(pair.padEnd(22) + cells.join(''));
}
if (values.json) {
  writeFileSync(
    values.json,
    `${JSON.stringify({ environment, shape, results, ratios }, null, 2)}\n`,
  );
}
