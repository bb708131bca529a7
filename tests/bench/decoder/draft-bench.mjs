// What a draft model could gain: answers of a model of 1 billion weights that a model of 0.1 billion drafts, in the shipped
// WebAssembly on one core. The models are made up: llamas whose matrices have a K-quant of GGUF. Nothing is drafted here.
// What counts is how long a pass over one row of each takes, and a pass over several rows of the large one, in the
// processor's time. A draft of k tokens costs k + 1 passes of the small model and one pass over k + 1 rows of the large one.
// With a share a of tokens that the large model would choose, too, it gives (1 - a^(k + 1)) / (1 - a) tokens (Leviathan et
// al., "Fast Inference from Transformers via Speculative Decoding", 2023).
//
// Build the modules first (npm run build).
//
//   node tests/bench/decoder/draft-bench.mjs [baseline|relaxed] [TYPE]

import { generatorOf } from '../support/session.mjs';
import { unwrap, wasmModules } from '../support/wasm-module.mjs';
import { ggufFile, ggufTypes } from './gguf-file.mjs';

const words = process.argv.slice(2);
const flavour = words.includes('baseline') ? 'baseline' : 'relaxed';
const type = words.find((word) => word in ggufTypes) ?? 'q4_k';
const vocabulary = 32000;
const shapes = {
  large: { width: 2048, inner: 8192, layers: 16, vocabulary },
  small: { width: 768, inner: 2048, layers: 10, vocabulary },
};
const shares = [0.6, 0.7, 0.8, 0.9];
const lengths = [1, 2, 3, 4, 6];
const nTurns = 3;
const nTokens = 6;

const weightsOf = ({ width, inner, layers }) =>
  layers * (4 * width * width + 3 * width * inner) + vocabulary * width;

/** Seconds of the processor for a pass over so many rows: answers together, less what their prompts of one token take. */
function secondsOfPass(ambry, session, rows) {
  const prompts = Array.from({ length: rows }, (_, i) => ({ ids: [5 + i], seed: i }));
  const secondsOf = (maxTokens) => {
    const settings = { prompts, maxTokens, temperature: 1, ignoreEos: true };
    const before = process.cpuUsage();
    const job = unwrap(ambry.beginGenerate(session, new Uint8Array(0), JSON.stringify(settings)));
    while (!unwrap(ambry.stepGenerate(job)).done) {}
    const { user, system } = process.cpuUsage(before);
    ambry.release(job);
    return (user + system) / 1e6;
  };
  const turns = Array.from({ length: nTurns }, () => secondsOf(nTokens + 1) - secondsOf(1));
  return Math.min(...turns) / nTokens;
}

const load = await wasmModules('ambry-generator', flavour);

async function passesOf(shape, rows) {
  const { module: ambry } = await load();
  const session = generatorOf(ambry, ggufFile(shape, ggufTypes[type]));
  return new Map(rows.map((n) => [n, secondsOfPass(ambry, session, n)]));
}

const large = await passesOf(shapes.large, [1, ...lengths.map((k) => k + 1)]);
const draft = (await passesOf(shapes.small, [1])).get(1);
const one = large.get(1);

for (const [name, shape] of Object.entries(shapes)) {
  console.log(
    `${name}: ${(weightsOf(shape) / 1e9).toFixed(2)} billion weights of ${type}; ${flavour}`,
  );
}
console.log(
  `a pass over one row: ${(1000 * one).toFixed(0)} ms, of the draft ${(1000 * draft).toFixed(0)} ms`,
);
for (const k of lengths) {
  const rows = large.get(k + 1);
  const gains = shares.map((share) => {
    const tokens = (1 - share ** (k + 1)) / (1 - share);
    return ((tokens * one) / (rows + (k + 1) * draft)).toFixed(2);
  });
  console.log(
    `draft of ${k}: ${k + 1} rows take ${(rows / one).toFixed(2)} passes; ` +
      shares.map((share, i) => `${gains[i]} with ${share}`).join(', '),
  );
}
