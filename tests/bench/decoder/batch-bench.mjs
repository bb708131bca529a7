// Answers by prompt lookup and together with others, beside the same answers without them, by turns in one run, in the
// shipped WebAssembly on one core. The models are made up: llamas of one shape whose matrices have each type in turn. It
// prints how many times as fast the answers are:
//
//   loop       the same token again and again: every draft is right
//   copy       the next token is nine times in ten the same again
//   none       answers at random from all tokens, in which nothing repeats: what looking costs
//   wrong      answers at random from eight tokens: pairs repeat, but what follows is another token
//   together   eight answers to eight prompts in one job, beside one job after another
//   n          eight answers to one prompt of 128 tokens in one job, beside eight jobs
//
// Build the modules first (npm run build).
//
//   node tests/bench/decoder/batch-bench.mjs [baseline|relaxed] [WIDTH] [LAYERS]

import { generatorOf } from '../support/session.mjs';
import { unwrap, wasmModules } from '../support/wasm-module.mjs';
import { ambFile, ambTypes } from './llama-model.mjs';

const words = process.argv.slice(2);
const flavour = words.includes('baseline') ? 'baseline' : 'relaxed';
const [width = 768, layers = 4] = words.filter((word) => /^\d+$/.test(word)).map(Number);
const vocabulary = 4096;
const nTurns = 3;
const nAnswers = 8;

const inner = Math.ceil((width * 8) / 3 / 64) * 64;
const shape = { width, inner, layers, vocabulary };
const load = await wasmModules('ambry-generator', flavour);
const idsOf = (n, seed) =>
  Array.from({ length: n }, (_, i) => (i * 37 + seed * 611 + 5) % vocabulary);
const lookup = { promptLookupNumTokens: 10 };
/** So hot that the logits of the model do not count. Biases then say how probable tokens are. */
const random = { temperature: 1000, topP: 1, seed: 3 };
const far = 500_000;
const eight = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [i * 50 + 3, far]));
const nineInTen = { 3: far + 1000 * Math.log(9), 53: far };

/** Seconds of the processor for a job, and its answers. */
function run(ambry, session, settings) {
  const before = process.cpuUsage();
  const begun = ambry.beginGenerate(session, new Uint8Array(0), JSON.stringify(settings));
  const job = unwrap(begun);
  while (!unwrap(ambry.stepGenerate(job)).done) {}
  const { user, system } = process.cpuUsage(before);
  const ids = unwrap(ambry.generated(job)).map((answer) => answer.ids);
  ambry.release(job);
  return { seconds: (user + system) / 1e6, ids };
}

/** Runs several jobs one after another. */
function runAll(ambry, session, list) {
  const all = list.map((settings) => run(ambry, session, settings));
  return {
    seconds: all.reduce((sum, { seconds }) => sum + seconds, 0),
    ids: all.flatMap(({ ids }) => ids),
  };
}

const prompts = Array.from({ length: nAnswers }, (_, i) => ({ ids: idsOf(16, i), seed: i }));
const short = { ...random, maxTokens: 24 };
const long = { ...short, maxTokens: 8, ids: idsOf(128, 1), seed: 0 };
const single = (settings) => ({ ids: idsOf(32, 2), maxTokens: 64, ...settings });
const byLookup = (settings) => ({
  plain: [single(settings)],
  faster: single({ ...settings, ...lookup }),
});
const cases = {
  loop: byLookup({ temperature: 0, logitBias: { 3: far } }),
  copy: byLookup({ ...random, logitBias: nineInTen }),
  none: byLookup(random),
  wrong: byLookup({ ...random, logitBias: eight }),
  together: {
    plain: prompts.map((prompt) => ({ ...short, ...prompt })),
    faster: { ...short, prompts },
  },
  n: {
    plain: Array.from({ length: nAnswers }, (_, i) => ({ ...long, seed: i })),
    faster: { ...long, n: nAnswers },
  },
};

function ratioOf(ambry, session, { plain, faster }) {
  let [slow, fast] = [Infinity, Infinity];
  for (let turn = 0; turn < nTurns; turn++) {
    const alone = runAll(ambry, session, plain);
    const made = run(ambry, session, faster);
    if (JSON.stringify(made.ids) !== JSON.stringify(alone.ids)) {
      throw new Error('other answers');
    }
    slow = Math.min(slow, alone.seconds);
    fast = Math.min(fast, made.seconds);
  }
  return slow / fast;
}

const cell = (text, size) => String(text).padStart(size);
console.log(`llama of width ${width}, ${layers} layers; ${flavour}; times as fast`);
console.log(
  `type      ${Object.keys(cases)
    .map((name) => cell(name, 9))
    .join('')}`,
);
for (const name of ['f32', 'f16', 'int8', 'int4_block']) {
  const { module: ambry } = await load();
  const session = generatorOf(ambry, ambFile(shape, ambTypes[name]));
  const ratios = Object.values(cases).map((one) => ratioOf(ambry, session, one));
  console.log(name.padEnd(10) + ratios.map((ratio) => cell(ratio.toFixed(2), 9)).join(''));
}
