// Embedding with a MiniLM-L6-shaped encoder of random weights on one thread: our WebAssembly, tokenization
// included, beside onnxruntime-web on the same weights without one, in f32 and int8, by turns in one run.
//
// Build first (npm run build).
//
//   npm install --prefix /tmp/ort onnxruntime-web@1.30.0
//   node tests/bench/encoder-bench.mjs /tmp/ort/node_modules/onnxruntime-web [LAYERS WIDTH] [--json FILE]
import { writeFileSync } from 'node:fs';
import { convert } from '../../dist/node.js';
import { embdFile, onnxEncoder, randomEncoder, wordOf } from './encoder-model.mjs';
import { median } from './median.mjs';
import { onnxruntime } from './onnxruntime.mjs';
import { encoderOf } from './session.mjs';
import { unwrap, wasmModules } from './wasm-module.mjs';

const kRounds = 9;
const kLoads = 5;
/** Texts and tokens of each. */
const kBatches = [
  [1, 8],
  [1, 128],
  [8, 32],
  [32, 32],
];
/** Ours : theirs, at least. */
const kWanted = {
  'relaxed f32 : f32': [undefined, 1.7, 1.7, 1.7],
  'relaxed int8 : int8': [2, 2.2, 2.2, 2.2],
  'relaxed int8 : f32': [undefined, 4.5, 4.5, 4.5],
  'baseline int8 : int8': [undefined, 1.3, 1.3, 1.3],
};

const words = process.argv.slice(2);
const json = words.includes('--json') ? words.splice(words.indexOf('--json'), 2)[1] : undefined;
const [folder, layers = 6, width = 384] = words;
const shape = { layers: Number(layers), width: Number(width), inner: 4 * width, vocabulary: 30522 };
/** As many as ours assumes of a file that does not say. */
const heads = shape.width / (shape.width <= 384 ? 32 : 64);
const model = randomEncoder({ ...shape, heads });
const floats = embdFile(model);
const converted = await convert(new Blob([floats]), { dtype: 'int8' });
const files = { f32: floats, int8: Buffer.from(await converted.arrayBuffer()) };
/** Texts of so many tokens with the two at their ends, as ids of words. */
const textsOf = (nTexts, nTokensOf) =>
  Array.from({ length: nTexts }, (_, text) =>
    Array.from({ length: nTokensOf(text) - 2 }, (_, i) => 1000 + ((i * 7 + text * 131) % 29000)),
  );

/** A module of its own for each, so that its heap is that encoder's; loaded several times, each time anew. */
async function ours(flavour, type) {
  const load = await wasmModules('ambry-run', flavour);
  const ready = [];
  let loaded;
  for (let i = 0; i < kLoads; i++) {
    const { module, memory } = await load();
    const begin = performance.now();
    const session = encoderOf(module, files[type]);
    ready.push(performance.now() - begin);
    loaded = { module, memory, session };
  }
  const { module, memory, session } = loaded;
  const heap = memory.buffer.byteLength;
  const embed = (texts) => {
    const job = unwrap(module.beginEmbed(session, '{}'));
    for (const text of texts) unwrap(module.addText(job, text));
    unwrap(module.startEmbed(job));
    while (!unwrap(module.stepEmbed(job)).done);
    const { address, size } = unwrap(module.embedded(job)).rows;
    const rows = new Float32Array(module.HEAPU8.slice(address, address + size).buffer);
    module.release(job);
    return rows;
  };
  return {
    ready: { first: ready[0], usual: median(ready) },
    heap,
    size: files[type].length,
    prepare: (texts) => {
      const encoded = texts.map((ids) => new TextEncoder().encode(ids.map(wordOf).join(' ')));
      return () => embed(encoded);
    },
  };
}

async function theirs(ort, int8) {
  const onnx = onnxEncoder(model, int8);
  const ready = [];
  let session;
  for (let i = 0; i < kLoads; i++) {
    await session?.release();
    const begin = performance.now();
    session = await ort.InferenceSession.create(onnx);
    ready.push(performance.now() - begin);
  }
  const tensor = (rows, dims) => new ort.Tensor('int64', BigInt64Array.from(rows, BigInt), dims);
  return {
    ready: { first: ready[0], usual: median(ready) },
    prepare: (texts) => {
      const nTokens = texts[0].length + 2;
      const rows = texts.map((ids) => [2, ...ids, 3]);
      const feeds = {
        ids: tensor(rows.flat(), [texts.length, nTokens]),
        positions: tensor([...Array(nTokens).keys()], [1, nTokens]),
      };
      return async () => Object.values(await session.run(feeds))[0].data;
    },
  };
}

async function milliseconds(run) {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

/** The least cosine between rows of the same text. */
function agreement(a, b) {
  let least = 1;
  for (let at = 0; at < a.length; at += shape.width) {
    let [dot, sizeA, sizeB] = [0, 0, 0];
    for (let i = at; i < at + shape.width; i++) {
      dot += a[i] * b[i];
      sizeA += a[i] * a[i];
      sizeB += b[i] * b[i];
    }
    least = Math.min(least, dot / Math.sqrt(sizeA * sizeB));
  }
  return least;
}

const ort = folder ? await onnxruntime(folder) : undefined;
// The first of all sessions also starts the runtime itself.
if (ort) await theirs(ort, true);
const runners = {
  'relaxed f32': await ours('relaxed', 'f32'),
  'relaxed int8': await ours('relaxed', 'int8'),
  'baseline f32': await ours('baseline', 'f32'),
  'baseline int8': await ours('baseline', 'int8'),
  ...(ort && { f32: await theirs(ort, false), int8: await theirs(ort, true) }),
};

/** Medians by runner, and by rounds the ratios: whatever else the machine does weighs on both sides. */
async function measure([nTexts, nTokens]) {
  const texts = textsOf(nTexts, () => nTokens);
  const runs = Object.entries(runners).map(([name, { prepare }]) => [name, prepare(texts)]);
  const rows = {};
  for (const [name, run] of runs) {
    for (let i = 0; i < 3; i++) rows[name] = Float32Array.from(await run());
  }
  const times = Object.fromEntries(runs.map(([name]) => [name, []]));
  for (let round = 0; round < kRounds; round++) {
    for (const [name, run] of runs) times[name].push(await milliseconds(run));
  }
  const cosines = Object.fromEntries(
    runs.map(([name]) => [name, agreement(rows[name], rows['relaxed f32'])]),
  );
  return { nTexts, nTokens, times, cosines };
}

/** Of many texts of 3 to 62 tokens. */
const kTexts = 1000;
const kLeastCosine = 0.999;
function agreementOfMany(name) {
  const rows = (runner) => runners[runner].prepare(textsOf(kTexts, (text) => 3 + (text % 60)))();
  return agreement(rows(name), rows('relaxed f32'));
}

/** Operations of a pass: a multiplication and an addition each. */
function operations({ nTexts, nTokens }) {
  const linear = 4 * shape.width ** 2 + 2 * shape.width * shape.inner;
  return 2 * nTexts * nTokens * shape.layers * (linear + 2 * nTokens * shape.width);
}

const cell = (text, size = 14) => String(text).padStart(size);
const results = [];
for (const batch of kBatches) results.push(await measure(batch));

console.log(`encoder of ${shape.layers} layers, ${shape.width} wide`);
console.log('milliseconds, G operations a second, least cosine to f32'.padEnd(18));
console.log(''.padEnd(16) + results.map((r) => cell(`${r.nTexts} x ${r.nTokens}`, 24)).join(''));
for (const name of Object.keys(runners)) {
  const cells = results.map((r) => {
    const time = median(r.times[name]);
    const rate = (operations(r) / time / 1e6).toFixed(0);
    return cell(`${time.toFixed(2)} ${rate.padStart(5)} ${r.cosines[name].toFixed(5)}`, 24);
  });
  console.log(name.padEnd(16) + cells.join(''));
}
for (const name of ['relaxed int8', 'baseline int8']) {
  const least = agreementOfMany(name);
  const verdict = least < kLeastCosine ? ' MISSED' : '';
  console.log(
    `${name}: least cosine to f32 of ${kTexts} texts ${least.toFixed(5)} of ${kLeastCosine}${verdict}`,
  );
}
/** Of the heap, and of what it may be. */
const kHeapShare = 1.15;
const kHeapMore = 16e6;
/** Of the time that theirs takes to be ready. */
const kReadyShare = 1 / 4;
for (const [name, { ready, heap, size }] of Object.entries(runners)) {
  const most = kHeapShare * size + kHeapMore;
  const held = heap
    ? `, heap ${(heap / 1e6).toFixed(1)} MB of at most ${(most / 1e6).toFixed(1)}${heap > most ? ' MISSED' : ''}`
    : '';
  const other = heap && runners[name.split(' ')[1]]?.ready;
  const share = (which) => {
    const verdict = other && ready[which] > kReadyShare * other[which] ? ' MISSED' : '';
    return other ? ` (${(ready[which] / other[which]).toFixed(2)} of theirs${verdict})` : '';
  };
  console.log(
    `${name.padEnd(16)} ready in ${ready.first.toFixed(0)} ms the first time${share('first')}, then ${ready.usual.toFixed(0)}${share('usual')}${held}`,
  );
}
const ratios = {};
for (const [pair, wanted] of Object.entries(ort ? kWanted : {})) {
  const [fast, slow] = pair.split(' : ');
  ratios[pair] = results.map(({ times }) =>
    median(times[slow].map((time, i) => time / times[fast][i])),
  );
  const cells = ratios[pair].map((ratio, i) => {
    const goal = wanted[i];
    const verdict = goal === undefined ? '' : ` of ${goal}${ratio < goal ? ' MISSED' : ''}`;
    return cell(`${ratio.toFixed(2)}${verdict}`, 24);
  });
  console.log(pair.padEnd(22) + cells.join(''));
}
if (json) writeFileSync(json, `${JSON.stringify({ shape, results, ratios }, null, 2)}\n`);
