// Embedding with an encoder by our WebAssembly, tokenization included, and by onnxruntime-web on ids, by turns; in
// Node and in pages.

import { median } from '../support/median.mjs';
import { onnxruntime } from '../support/onnxruntime.mjs';
import { plainReader } from '../support/plain-read.mjs';
import { roofline } from '../support/roofline.mjs';
import { encoderOf } from '../support/session.mjs';
import { bytesAt, unwrap, wasmModules } from '../support/wasm-module.mjs';
import { wordOf } from './encoder-model.mjs';

const nRounds = 9;
const nLoads = 5;

/** Texts of so many tokens with the two at their ends, as ids of words. */
const textsOf = (nTexts, nTokensOf) =>
  Array.from({ length: nTexts }, (_, text) =>
    Array.from({ length: nTokensOf(text) - 2 }, (_, i) => 1000 + ((i * 7 + text * 131) % 29000)),
  );

async function milliseconds(run) {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

/** The first time and the usual one. */
const firstAndUsual = (times) => ({ first: times[0], usual: median(times) });

/** What it takes to copy a file to memory that nobody has used: no load can be faster. */
function freshCopy(file) {
  const pages = Math.ceil(file.length / 2 ** 16);
  const begin = performance.now();
  new Uint8Array(new WebAssembly.Memory({ initial: pages }).buffer).set(file);
  return performance.now() - begin;
}

/** A module of its own for each, so that its heap is that encoder's; loaded several times, each time anew. */
async function ours(flavour, file) {
  const load = await wasmModules('ambry-encoder-small', flavour);
  const ready = [];
  const copies = [];
  let loaded;
  for (let i = 0; i < nLoads; i++) {
    const { module, memory } = await load();
    const begin = performance.now();
    const session = encoderOf(module, file);
    ready.push(performance.now() - begin);
    loaded = { module, memory, session };
    copies.push(freshCopy(file));
  }
  const { module, memory, session } = loaded;
  const read = await plainReader(memory);
  return {
    facts: {
      ready: firstAndUsual(ready),
      copy: median(copies),
      heap: memory.buffer.byteLength,
      size: file.length,
    },
    /** The end of its memory, as much as the weights take. */
    readWeights: (bytes) => read(memory.buffer.byteLength - bytes, memory.buffer.byteLength),
    prepare: (texts) => {
      const encoded = texts.map((ids) => new TextEncoder().encode(ids.map(wordOf).join(' ')));
      return () => embed(module, session, encoded);
    },
  };
}

function embed(module, session, texts) {
  const job = unwrap(module.beginTexts('embed', session, '{}'));
  for (const text of texts) {
    unwrap(module.addText(job, text));
  }
  unwrap(module.startTexts(job));
  while (!unwrap(module.stepTexts(job)).done) {}
  const { address, size } = unwrap(module.rowsOfTexts(job)).rows;
  const rows = new Float32Array(module.HEAPU8.slice(address, address + size).buffer);
  module.release(job);
  return rows;
}

async function theirs(ort, onnx) {
  const ready = [];
  let session;
  for (let i = 0; i < nLoads; i++) {
    await session?.release();
    const begin = performance.now();
    session = await ort.InferenceSession.create(onnx);
    ready.push(performance.now() - begin);
  }
  const tensor = (rows, dims) => new ort.Tensor('int64', BigInt64Array.from(rows, BigInt), dims);
  return {
    facts: { ready: firstAndUsual(ready) },
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

/** The least cosine between rows of the same text. */
function agreement(a, b, width) {
  let least = 1;
  for (let at = 0; at < a.length; at += width) {
    let [dot, sizeA, sizeB] = [0, 0, 0];
    for (let i = at; i < at + width; i++) {
      dot += a[i] * b[i];
      sizeA += a[i] * a[i];
      sizeB += b[i] * b[i];
    }
    least = Math.min(least, dot / Math.sqrt(sizeA * sizeB));
  }
  return least;
}

/** Times by runner and round, and of ours also those of a plain read of the weights. */
async function measure(runners, [nTexts, nTokens], width, weightBytes) {
  const texts = textsOf(nTexts, () => nTokens);
  const runs = Object.entries(runners).map(([name, { prepare }]) => [name, prepare(texts)]);
  const rows = {};
  for (const [name, run] of runs) {
    for (let i = 0; i < 3; i++) {
      rows[name] = Float32Array.from(await run());
    }
  }
  const times = Object.fromEntries(runs.map(([name]) => [name, []]));
  const reads = Object.fromEntries(Object.keys(weightBytes).map((name) => [name, []]));
  for (let round = 0; round < nRounds; round++) {
    for (const [name, run] of runs) {
      times[name].push(await milliseconds(run));
    }
    for (const [name, bytes] of Object.entries(weightBytes)) {
      reads[name].push(await milliseconds(() => runners[name].readWeights(bytes)));
    }
  }
  const cosines = Object.fromEntries(
    runs.map(([name]) => [name, agreement(rows[name], rows['relaxed f32'], width)]),
  );
  return { nTexts, nTokens, times, reads, cosines };
}

/** By runner the least cosine to f32 of so many texts of 3 to 62 tokens. */
function agreements(runners, nTexts, width) {
  const texts = textsOf(nTexts, (text) => 3 + (text % 60));
  const rowsOf = (name) => runners[name].prepare(texts)();
  const exact = rowsOf('relaxed f32');
  return Object.fromEntries(
    ['relaxed int8', 'baseline int8'].map((name) => [name, agreement(rowsOf(name), exact, width)]),
  );
}

async function makeRunners({ files, onnxFiles, ortFolder }) {
  const ort = ortFolder && (await onnxruntime(ortFolder));
  const onnx = ort && { f32: await bytesAt(onnxFiles.f32), int8: await bytesAt(onnxFiles.int8) };
  // The first of all sessions also starts the runtime itself.
  if (ort) {
    await theirs(ort, onnx.int8);
  }
  const [f32, int8] = await Promise.all([bytesAt(files.f32), bytesAt(files.int8)]);
  return {
    'relaxed f32': await ours('relaxed', f32),
    'relaxed int8': await ours('relaxed', int8),
    'baseline f32': await ours('baseline', f32),
    'baseline int8': await ours('baseline', int8),
    ...(ort && { f32: await theirs(ort, onnx.f32), int8: await theirs(ort, onnx.int8) }),
  };
}

/** `files` and `onnxFiles` by type, as bytes or by their paths; `ortFolder` where there is an onnxruntime-web;
 *  `weightBytes` of the linear layers by runner. */
export async function work({ width, batches, nCompared, weightBytes, ...places }) {
  const limits = await roofline();
  const runners = await makeRunners(places);
  const results = [];
  for (const batch of batches) {
    results.push(await measure(runners, batch, width, weightBytes));
  }
  return {
    results,
    limits,
    facts: Object.fromEntries(Object.entries(runners).map(([name, { facts }]) => [name, facts])),
    leastCosines: agreements(runners, nCompared, width),
  };
}
