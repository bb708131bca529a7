// Tokens a second of prompts and answers with several threads, through the built package in Node: seconds of the clock, the
// numbers of threads by turns in one run. The goals for two threads are 1.8 times the prompts and 1.6 times the answers
// of one. The machine must be idle. Build first (npm run build).
//
//   node tests/bench/decoder/threads-bench.mjs [WIDTH] [LAYERS] [THREADS…]
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '../../../dist/node.js';
import { ggufFile, ggufTypes } from './gguf-file.mjs';
import { ambFile, ambTypes } from './llama-model.mjs';

const [width = 768, layers = 12, ...given] = process.argv.slice(2).map(Number);
const threadCounts = [1, ...(given.length ? given : [2])];
const vocabulary = 8192;
const nPromptTokens = 512;
const nAnswerTokens = 32;
const nTurns = 4;

const inner = Math.ceil((width * 8) / 3 / 256) * 256;
const shape = { width, inner, layers, vocabulary, context: 1024 };
const files = {
  'int4_block.amb': ambFile(shape, ambTypes.int4_block),
  'int8.amb': ambFile(shape, ambTypes.int8),
  'q4_k.gguf': ggufFile(shape, ggufTypes.q4_k),
};

/** Tokens a second. */
async function rates(model) {
  const ids = Array.from({ length: nPromptTokens }, (_, i) => (i * 37) % vocabulary);
  const options = { temperature: 0, maxTokens: nAnswerTokens, ignoreEos: true };
  const begin = performance.now();
  let first = 0;
  for await (const _ of model.generate(ids, options)) {
    first ||= performance.now();
  }
  const end = performance.now();
  return {
    prompt: (1000 * nPromptTokens) / (first - begin),
    answer: (1000 * (nAnswerTokens - 1)) / (end - first),
  };
}

const cell = (text, size) => String(text).padStart(size);
const folder = await mkdtemp(join(tmpdir(), 'ambry-threads-'));
console.log(`llama of width ${width}, ${layers} layers`);
console.log('file            threads  prompt/s  answer/s   prompt ×  answer ×');
try {
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const models = [];
    for (const threads of threadCounts) {
      models.push(await open(path, { threads }));
    }
    const best = models.map(() => ({ prompt: 0, answer: 0 }));
    for (let turn = 0; turn < nTurns; turn++) {
      for (const [i, model] of models.entries()) {
        const { prompt, answer } = await rates(model);
        best[i].prompt = Math.max(best[i].prompt, prompt);
        best[i].answer = Math.max(best[i].answer, answer);
      }
    }
    for (const [i, { threads }] of models.entries()) {
      const row = [name.padEnd(15), cell(threads, 7)];
      row.push(cell(best[i].prompt.toFixed(0), 9), cell(best[i].answer.toFixed(1), 9));
      row.push(cell((best[i].prompt / best[0].prompt).toFixed(2), 10));
      row.push(cell((best[i].answer / best[0].answer).toFixed(2), 9));
      console.log(row.join(' '));
    }
    for (const model of models) {
      await model.dispose();
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
