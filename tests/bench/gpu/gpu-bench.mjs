// A language model on the graphics processor beside WebAssembly with one thread and with all of them, by turns in one run, in
// Node with the npm package `webgpu`. Without an adapter, or with one that is a program, it prints the count of bytes and
// operations alone. Build first (npm run build), and install `webgpu` beside the repository's packages.
//
//   node tests/bench/gpu/gpu-bench.mjs [--rounds N] [--layers N]
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { doctor, open } from '../../../dist/node.js';
import { ggufFile, ggufTypes, promptOf } from '../decoder/gguf-file.mjs';
import { median } from '../support/median.mjs';
import { countKernels } from './count-kernels.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, layers: { type: 'string' } },
});
const rounds = Number(values.rounds);
const nPromptTokens = 128;
const nAnswerTokens = 24;

/** Llamas of about 0.14, 0.5 and 1 billion parameters. */
const shapes = {
  '0.14B': { width: 768, inner: 2048, layers: 12, vocabulary: 32000, heads: 12, kvHeads: 12 },
  '0.5B': { width: 1280, inner: 3456, layers: 24, vocabulary: 32000, heads: 20, kvHeads: 20 },
  '1B': { width: 2048, inner: 5632, layers: 22, vocabulary: 32000, heads: 32, kvHeads: 32 },
};

for (const [name, shape] of Object.entries(shapes)) {
  const kernels = countKernels(shape, 'q8_0', nPromptTokens);
  const total = kernels.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(
    `\n${name}, Q8_0, after ${nPromptTokens} tokens: ${(total / 1e6).toFixed(1)} MB a token`,
  );
  for (const { kernel, bytes, least, operations } of kernels) {
    const [mb, leastMb] = [bytes, least].map((count) => (count / 1e6).toFixed(2).padStart(9));
    const giga = (operations / 1e9).toFixed(3).padStart(7);
    console.log(`  ${kernel.padEnd(18)} ${mb} MB (at least ${leastMb}) ${giga} G operations`);
  }
}

const found = (await doctor()).find(({ name }) => name === 'webgpu');
console.log(`\nadapter: ${found?.found}`);
if (!found?.ok) {
  console.log('not measured');
  process.exit();
}

/** Tokens a second of the prompt and of the answer. */
async function speedOf(model, prompt) {
  const settings = { maxTokens: nAnswerTokens, temperature: 0, ignoreEos: true };
  const result = await model.generate(prompt, settings).result;
  return [result.prompt.tokens / result.prompt.seconds, result.tokensPerSecond];
}

const ways = {
  'wasm, 1 thread': { threads: 1 },
  'wasm, all threads': { threads: availableParallelism() },
  webgpu: { device: 'webgpu' },
};
for (const [name, shape] of Object.entries(shapes)) {
  const layers = Number(values.layers ?? shape.layers);
  for (const type of ['q8_0', 'q4_k'].filter((each) => each in ggufTypes)) {
    const file = new Blob([ggufFile({ ...shape, layers }, ggufTypes[type])]);
    const models = {};
    for (const [way, options] of Object.entries(ways)) {
      models[way] = await open(file, { kind: 'generator', ...options });
    }
    const { device } = models.webgpu.info.generator;
    const speeds = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
    for (let round = 0; round <= rounds; round++) {
      for (const [way, model] of Object.entries(models)) {
        const speed = await speedOf(model, promptOf(nPromptTokens + round));
        // The first round warms up.
        speeds[way].push(...(round > 0 ? [speed] : []));
      }
    }
    console.log(
      `\n${name}, ${type}, ${layers} layers, computed by ${device.name} ${device.reason ?? ''}`,
    );
    for (const [way, list] of Object.entries(speeds)) {
      const [prompt, answer] = [0, 1].map((i) => median(list.map((speed) => speed[i])).toFixed(1));
      console.log(`  ${way.padEnd(18)} prompt ${prompt}, answer ${answer} tokens/s`);
    }
    await Promise.all(Object.values(models).map((model) => model.dispose()));
  }
}
