// GGUF files as they are, in Chromium on one thread: llamas of random weights, each matrix of one type. Our package and
// llama.cpp (compiled to WebAssembly by wllama) read the same file and answer by turns in one run. Then, in Node: how
// long a file takes until it is ready, beside the same model as AMB, and how far the heap grows. Build first (npm run
// build).
//
//   node tests/bench/decoder/gguf-bench.mjs [--types q4_k,q6_k] [--rounds N] [--layers N] [--json FILE]
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { convert, open } from '../../../dist/node.js';
import { inChromium } from '../support/chromium.mjs';
import { answerShares, limitsLine, machineLimits, percent } from '../support/machine-limits.mjs';
import { median } from '../support/median.mjs';
import { generatorOf } from '../support/session.mjs';
import { unwrap, wasmModules } from '../support/wasm-module.mjs';
import { ggufFile, ggufTypes, promptOf } from './gguf-file.mjs';

const nPromptTokens = 128;
const nAnswerTokens = 24;
/** Tokens that the models of ggufFile() can read. */
const nContext = 1024;
/** At least so many times as fast as wllama. */
const wanted = { prompt: 10, answer: 10 };
/** The types that AMB stores, too. Their files are ready in at most so many times the time of the AMB file. */
const ambTypes = ['q8_0', 'q4_0'];
const readyWanted = 1.1;
/** The heap may be larger than the file, keys and values by so many bytes. */
const heapWanted = 16 * 2 ** 20;

const { values } = parseArgs({
  options: {
    types: { type: 'string', default: 'q4_k,q6_k,q5_k,q3_k,q2_k,iq4_xs' },
    rounds: { type: 'string', default: '5' },
    layers: { type: 'string', default: '12' },
    json: { type: 'string' },
  },
});
const types = values.types.split(',');
const [rounds, layers] = [Number(values.rounds), Number(values.layers)];
const shape = { width: 768, inner: 2048, layers, vocabulary: 32000 };
const wllama = dirname(createRequire(import.meta.url).resolve('@wllama/wllama'));

/** The runs of both on one file, after a check that they read and wrote as many tokens as asked. */
async function besideWllama(file) {
  const path = '/model.gguf';
  const given = {
    paths: { ours: path },
    wllamaPaths: { theirs: path },
    rounds,
    ...promptOf(nPromptTokens),
    answer: nAnswerTokens,
  };
  const folders = { '/wllama/': wllama };
  const results = await inChromium('decoder/wllama-page.mjs', given, {
    files: { [path]: file },
    folders,
  });
  for (const [name, { promptTokens, ids }] of Object.entries(results)) {
    if (promptTokens === nPromptTokens && ids.length === nAnswerTokens) {
      continue;
    }
    throw new Error(`${name}: ${ids.length} tokens after ${promptTokens}`);
  }
  return results;
}

/** How many times as fast ours is: the median of the rounds, for whatever else the machine does slows both. */
function speedRatios({ ours, theirs }) {
  const ratio = (part) =>
    median(ours.times.map((time, round) => theirs.times[round][part] / time[part]));
  return { prompt: ratio('prompt'), answer: ratio('token') };
}

/** Tokens per second: the median of the rounds. */
function tokensPerSecond({ times }) {
  return {
    prompt: (1000 * nPromptTokens) / median(times.map(({ prompt }) => prompt)),
    answer: 1000 / median(times.map(({ token }) => token)),
  };
}

/** Operations of a token in the matrices of its layers, a multiplication and an addition each. */
const layerOperations = 2 * layers * (4 * shape.width ** 2 + 3 * shape.width * shape.inner);

/** How near ours comes to these limits: prompts to the products, answers to both. An answer reads all of the file for each
 *  token, which also limits how many times as fast as wllama it can be. */
function sharesOfLimits(own, other, file) {
  const answerOperations = layerOperations + 2 * shape.width * shape.vocabulary;
  const prompt = (own.prompt * layerOperations) / 1e9;
  const of = {
    own: own.answer,
    other: other.answer,
    operations: answerOperations,
    bytes: file.length,
  };
  return `prompt ${percent(prompt, limits.operations)} of all products, ${answerShares(limits, of)}`;
}

function sameTokens({ ours, theirs }) {
  const other = ours.ids.findIndex((id, i) => id !== theirs.ids[i]);
  return other < 0 ? nAnswerTokens : other;
}

/** Milliseconds until the model is ready: the least of some runs by turns. */
async function readyTimes(files) {
  const least = files.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [i, file] of files.entries()) {
      const begin = performance.now();
      const model = await open(file, { kind: 'generator', context: 256 });
      least[i] = Math.min(least[i], performance.now() - begin);
      await model.dispose();
    }
  }
  return least;
}

/** Bytes of the heap after a whole context was read, without the file, the keys and the values. */
async function heapBeyond(file) {
  const { module, memory } = await (await wasmModules('ambry-generator', 'relaxed'))();
  const session = generatorOf(module, file);
  const { ids } = promptOf(nContext - nAnswerTokens);
  const settings = JSON.stringify({ ids, temperature: 0, maxTokens: nAnswerTokens });
  const job = unwrap(module.beginGenerate(session, new Uint8Array(0), settings));
  while (!unwrap(module.stepGenerate(job)).done) {}
  const keysAndValues = nContext * 2 * layers * shape.width * Float32Array.BYTES_PER_ELEMENT;
  return memory.buffer.byteLength - file.length - keysAndValues;
}

const verdict = (good) => (good ? '' : ' MISSED');

console.log(
  `llama of ${layers} layers, ${shape.width} wide: ${nPromptTokens} tokens and ${nAnswerTokens} to answer`,
);
const limits = await machineLimits();
console.log(limitsLine(limits));
const ratios = {};
for (const type of types) {
  const file = ggufFile(shape, ggufTypes[type]);
  const results = await besideWllama(file);
  const speeds = speedRatios(results);
  const [own, other] = [tokensPerSecond(results.ours), tokensPerSecond(results.theirs)];
  const heap = await heapBeyond(file);
  const cells = Object.entries(speeds).map(([part, ratio]) => {
    ratios[`${part}, ${type}`] = ratio;
    const speed = `${own[part].toFixed(0)} tokens/s to ${other[part].toFixed(0)}`;
    return `${part} ${speed}: ${ratio.toFixed(2)} of ${wanted[part]}${verdict(ratio >= wanted[part])}`;
  });
  const size = `${(file.length / 1e6).toFixed(0)} MB`;
  const beyond = `heap + ${(heap / 2 ** 20).toFixed(1)} of ${heapWanted / 2 ** 20} MB${verdict(heap <= heapWanted)}`;
  const same = `first ${sameTokens(results)} tokens the same`;
  const shares = sharesOfLimits(own, other, file);
  console.log([type.padEnd(7), size, ...cells, shares, beyond, same].join(', '));
}
for (const type of ambTypes) {
  const file = ggufFile(shape, ggufTypes[type]);
  const gguf = new Blob([file]);
  const amb = await convert(gguf, { to: 'amb' });
  const [ours, before] = await readyTimes([gguf, amb]);
  const ratio = ours / before;
  ratios[`AMB : GGUF until ready, ${type}`] = before / ours;
  console.log(
    `${type} ready in ${ours.toFixed(0)} ms, as AMB in ${before.toFixed(0)} ms: ${ratio.toFixed(2)} of ${readyWanted}${verdict(ratio <= readyWanted)}`,
  );
}
if (values.json) {
  writeFileSync(
    values.json,
    JSON.stringify({ environment: 'GGUF in Chromium, beside wllama', ratios }),
  );
}
