// Generating text in the shipped WebAssembly, on one core: tokens a second of answers and of prompts, the heap,
// and how fast weights are read for a token beside a plain read of the same memory, by turns in one run. Products of
// prompts are compared with the most that the machine can do in registers. The models are made up: llamas of one shape whose matrices have each type in turn. Build the modules first
// (npm run build).
//
//   node tests/bench/decoder/generate-bench.mjs [baseline|relaxed] [WIDTH] [LAYERS]

import { leastSeconds, plainReader } from '../support/plain-read.mjs';
import { printLimits, roofline } from '../support/roofline.mjs';
import { generatorOf } from '../support/session.mjs';
import { unwrap, wasmModules } from '../support/wasm-module.mjs';
import { ambFile, ambTypes } from './llama-model.mjs';

const words = process.argv.slice(2);
const flavour = words.includes('baseline') ? 'baseline' : 'relaxed';
const [width = 768, layers = 8] = words.filter((word) => /^\d+$/.test(word)).map(Number);
const vocabularySize = 4096;
const nPromptTokens = 64;
const nAnswerTokens = 8;
const nTurns = 5;
/** The share of a plain read that int8 should reach. */
const targetShare = 0.6;

const inner = Math.ceil((width * 8) / 3 / 64) * 64;
const shape = { width, inner, layers, vocabulary: vocabularySize };
/** The operations for a token of a prompt, in matrices: a multiplication and an addition each. Only the last token has
 *  logits. */
const operations = 2 * layers * (4 * width ** 2 + 3 * width * inner);
const limits = await roofline();
const load = await wasmModules('ambry-generator', flavour);

/** Seconds of the processor for the prompt, and for each further token. */
function timed(ambry, session) {
  const ids = Array.from({ length: nPromptTokens }, (_, i) => (i * 37) % vocabularySize);
  const settings = JSON.stringify({ ids, temperature: 0, maxTokens: nAnswerTokens + 1 });
  const job = unwrap(ambry.beginGenerate(session, new Uint8Array(0), settings));
  let begin = process.cpuUsage();
  const lap = () => {
    const { user, system } = process.cpuUsage(begin);
    begin = process.cpuUsage();
    return (user + system) / 1e6;
  };
  let prompt = 0;
  for (let step = { made: 0 }; ; ) {
    const before = step.made;
    step = unwrap(ambry.stepGenerate(job));
    if (before === 0 && step.made > 0) {
      prompt = lap();
    }
    if (step.done) {
      ambry.release(job);
      return { prompt, token: lap() / (step.made - 1) };
    }
  }
}

/** What a token reads, once: a plain read of as many bytes of the heap. */
function plainSeconds(read, memory, bytes) {
  const end = memory.buffer.byteLength - 64;
  const size = Math.min(bytes, end - 65536) & ~63;
  return (leastSeconds(() => read(65536, 65536 + size), 1) * bytes) / size;
}

const cell = (text, size) => String(text).padStart(size);
console.log(`llama of width ${width}, ${layers} layers; ${flavour}`);
printLimits(limits);
console.log(
  'type        MB   heap  prompt/s     G/s  of most  answer/s      GB/s  plain GB/s  share',
);
for (const [name, type] of Object.entries(ambTypes)) {
  const { module: ambry, memory } = await load();
  const session = generatorOf(ambry, ambFile(shape, type));
  const read = await plainReader(memory);
  const { weightBytes } = unwrap(ambry.modelFacts(session));
  const best = { prompt: Infinity, token: Infinity, plain: Infinity };
  for (let turn = 0; turn < nTurns; turn++) {
    const { prompt, token } = timed(ambry, session);
    best.prompt = Math.min(best.prompt, prompt);
    best.token = Math.min(best.token, token);
    best.plain = Math.min(best.plain, plainSeconds(read, memory, weightBytes));
  }
  const share = best.plain / best.token;
  const rate = (operations * nPromptTokens) / best.prompt / 1e9;
  const limit = limits[`${flavour} ${/^f/.test(name) ? 'f32' : 'int8'}`];
  const mark = name === 'int8' && share < targetShare ? `  below ${targetShare}` : '';
  console.log(
    [
      name.padEnd(10),
      cell((weightBytes / 1e6).toFixed(0), 4),
      cell((memory.buffer.byteLength / 1e6).toFixed(0), 6),
      cell((nPromptTokens / best.prompt).toFixed(1), 9),
      cell(rate.toFixed(0), 7),
      cell(`${((100 * rate) / limit).toFixed(0)} %`, 8),
      cell((1 / best.token).toFixed(1), 9),
      cell((weightBytes / best.token / 1e9).toFixed(2), 9),
      cell((weightBytes / best.plain / 1e9).toFixed(2), 11),
      cell(`${(100 * share).toFixed(0)} %`, 6) + mark,
    ].join(' '),
  );
}
