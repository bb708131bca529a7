// The time to the first token of a turn of 50 tokens after 1,000 tokens of conversation, in the shipped WebAssembly on
// one core: with the keys and values of the conversation (warm) and without them (cold), and the memory that they take.
// The goal is a warm turn in at most 15 % of the cold one. Build the modules first (npm run build).
//
//   node tests/bench/decoder/session-bench.mjs [baseline|relaxed] [WIDTH] [LAYERS]

import { generatorOf } from '../support/session.mjs';
import { unwrap, wasmModules } from '../support/wasm-module.mjs';
import { ambFile, ambTypes } from './llama-model.mjs';

const words = process.argv.slice(2);
const flavour = words.includes('baseline') ? 'baseline' : 'relaxed';
const [width = 768, layers = 8] = words.filter((word) => /^\d+$/.test(word)).map(Number);
const vocabulary = 4096;
const nHistory = 1000;
const nTurn = 50;
const nRepeats = 3;

const inner = Math.ceil((width * 8) / 3 / 64) * 64;
const shape = { width, inner, layers, vocabulary, context: 2048 };
const load = await wasmModules('ambry-generator', flavour);
const idsOf = (n) => Array.from({ length: n }, (_, i) => (i * 37 + 5) % vocabulary);

/** Seconds of the processor until the first token. `use` gets the job before it is released. */
function firstToken(ambry, begin, n, use = () => {}) {
  const settings = JSON.stringify({ ids: idsOf(n), temperature: 0, maxTokens: 1 });
  const before = process.cpuUsage();
  const job = unwrap(begin(new Uint8Array(0), settings));
  while (unwrap(ambry.stepGenerate(job)).made === 0) {}
  const { user, system } = process.cpuUsage(before);
  use(job);
  ambry.release(job);
  return (user + system) / 1e6;
}

const least = (run) => Math.min(...Array.from({ length: nRepeats }, run));
const cell = (text, size) => String(text).padStart(size);
console.log(`llama of width ${width}, ${layers} layers; ${flavour}; ${nHistory} + ${nTurn} tokens`);
console.log('weights    kv     cold s  warm s   warm : cold   MB of keys and values');
for (const type of ['f32', 'int8', 'int4_block']) {
  const file = ambFile(shape, ambTypes[type]);
  for (const kv of ['f32', 'f16', 'int8']) {
    const { module: ambry } = await load();
    const model = generatorOf(ambry, file, { kv });
    const cache = unwrap(ambry.createPromptCache(model));
    const after = (...given) => ambry.beginGenerateAfter(cache, ...given);
    const alone = (...given) => ambry.beginGenerate(model, ...given);
    firstToken(ambry, after, nHistory, (job) => unwrap(ambry.keepGenerated(cache, job)));
    const { bytes } = unwrap(ambry.promptCacheFacts(cache));
    const cold = least(() => firstToken(ambry, alone, nHistory + nTurn));
    const warm = least(() => firstToken(ambry, after, nHistory + nTurn));
    console.log(
      [
        type.padEnd(10),
        kv.padEnd(5),
        cell(cold.toFixed(3), 7),
        cell(warm.toFixed(3), 7),
        cell(`${((100 * warm) / cold).toFixed(1)} %`, 13),
        cell((bytes / 1e6).toFixed(1), 12),
      ].join(' '),
    );
  }
}
