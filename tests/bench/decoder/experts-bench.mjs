// A mixture of experts in Chromium, on one thread, beside its dense twin, which has as many weights and uses all of
// them, and beside both in llama.cpp, compiled to WebAssembly by wllama, by turns in one run. Of the experts a token
// takes one in eight. Build first (npm run build).
//
//   node tests/bench/decoder/experts-bench.mjs [--rounds N] [--layers N]
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { convert } from '../../../dist/node.js';
import { inChromium } from '../support/chromium.mjs';
import { median } from '../support/median.mjs';
import { ggufFile, ggufTypes, promptOf } from './gguf-file.mjs';

const nPromptTokens = 64;
const nAnswerTokens = 24;
const wantedRatio = 4;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    layers: { type: 'string', default: '6' },
  },
});
const [rounds, layers] = [Number(values.rounds), Number(values.layers)];
const experts = 32;
const sparse = { width: 768, inner: 512, layers, vocabulary: 8192, experts, used: experts / 8 };
const { experts: _, ...plain } = sparse;
const dense = { ...plain, inner: sparse.inner * experts };

const converted = async (gguf) =>
  Buffer.from(await (await convert(new Blob([gguf]), { to: 'amb' })).arrayBuffer());

const files = {};
for (const [name, shape] of Object.entries({ experts: sparse, dense })) {
  const gguf = ggufFile(shape, ggufTypes.q4_0);
  files[`${name} in llama.cpp`] = { path: `/${name}.gguf`, bytes: gguf };
  files[name] = { path: `/${name}.amb`, bytes: await converted(gguf) };
}
const pathsOf = (ending) =>
  Object.fromEntries(
    Object.entries(files)
      .map(([name, { path }]) => [name, path])
      .filter(([, path]) => path.endsWith(ending)),
  );
const results = await inChromium(
  'decoder/wllama-page.mjs',
  {
    paths: pathsOf('.amb'),
    wllamaPaths: pathsOf('.gguf'),
    rounds,
    ...promptOf(nPromptTokens),
    answer: nAnswerTokens,
  },
  {
    files: Object.fromEntries(Object.values(files).map(({ path, bytes }) => [path, bytes])),
    folders: { '/wllama/': dirname(createRequire(import.meta.url).resolve('@wllama/wllama')) },
  },
);

const speeds = {
  prompt: (name) => results[name].times.map(({ prompt }) => (nPromptTokens / prompt) * 1000),
  answer: (name) => results[name].times.map(({ token }) => 1000 / token),
};
const cell = (text, size) => String(text).padStart(size);
console.log(`${layers} layers, ${experts} experts, of which a token takes ${sparse.used}`);
console.log('model                  MB  prompt/s  answer/s');
for (const [name, { bytes }] of Object.entries(files)) {
  const both = Object.values(speeds).map((speed) => cell(median(speed(name)).toFixed(1), 9));
  console.log(`${name.padEnd(20)} ${cell((bytes.length / 1e6).toFixed(0), 4)} ${both.join(' ')}`);
}
/** Ratios of the same round: whatever else the machine does weighs on both. */
const ratioOf = (part, fast, slow) =>
  median(speeds[part](fast).map((speed, i) => speed / speeds[part](slow)[i])).toFixed(2);
const gained = ratioOf('answer', 'experts', 'dense');
console.log(`answer, experts : dense        ${gained} of ${wantedRatio}`);
for (const part of Object.keys(speeds)) {
  console.log(`${part}, ours : llama.cpp   ${ratioOf(part, 'experts', 'experts in llama.cpp')}`);
}
