// Decoding in Chromium, on one thread: a llama of random weights by our package and by llama.cpp, compiled to
// WebAssembly by wllama, by turns in one run. Theirs reads GGUF files, ours what `convert` makes of the same files,
// block for block, and int8 with a scale a row besides. A caller's times: to an answer's first token, and for each
// further one. Build first (npm run build).
//
//   node tests/bench/decoder/wllama-bench.mjs [--rounds N] [--layers N] [--json FILE]
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { convert } from '../../../dist/node.js';
import { inChromium } from '../support/chromium.mjs';
import { median } from '../support/median.mjs';
import { ggufFile, ggufTypes, promptOf } from './gguf-file.mjs';
import { ambFile, ambTypes, tokenizerOf } from './llama-model.mjs';

const nPromptTokens = 128;
const nAnswerTokens = 24;
/** Ours and theirs; how many times as fast, at least, in prompts and in answers. */
const pairs = [
  ['int8', 'q8_0', 10, 5],
  ['int8 by rows', 'q8_0', 10, 5],
  ['int4_block', 'q4_0', 10, 10],
];
/** Prompts : answers, at least. */
const targetPromptRatio = 8;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    layers: { type: 'string', default: '12' },
    json: { type: 'string' },
  },
});
const [rounds, layers] = [Number(values.rounds), Number(values.layers)];
const shape = { width: 768, inner: 2048, layers, vocabulary: 32000 };

async function converted(gguf) {
  const blob = await convert(new Blob([gguf]), { to: 'amb' });
  return Buffer.from(await blob.arrayBuffer());
}

async function makeFiles() {
  const q8 = ggufFile(shape, ggufTypes.q8_0);
  const q4 = ggufFile(shape, ggufTypes.q4_0);
  const int8 = await converted(q8);
  const byRows = ambFile(shape, ambTypes.int8, tokenizerOf(int8));
  return {
    q8_0: { path: '/q8_0.gguf', bytes: q8 },
    int8: { path: '/int8.amb', bytes: int8 },
    'int8 by rows': { path: '/int8-by-rows.amb', bytes: byRows },
    q4_0: { path: '/q4_0.gguf', bytes: q4 },
    int4_block: { path: '/int4_block.amb', bytes: await converted(q4) },
  };
}

const files = await makeFiles();
const prompt = promptOf(nPromptTokens);
/** The paths of the files with this ending. */
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
    ...prompt,
    answer: nAnswerTokens,
  },
  {
    files: Object.fromEntries(Object.values(files).map(({ path, bytes }) => [path, bytes])),
    folders: { '/wllama/': dirname(createRequire(import.meta.url).resolve('@wllama/wllama')) },
  },
);

for (const [name, { promptTokens, ids }] of Object.entries(results)) {
  if (promptTokens === nPromptTokens && ids.length === nAnswerTokens) {
    continue;
  }
  throw new Error(`${name}: ${ids.length} tokens after ${promptTokens}`);
}

const speeds = {
  prompt: (name) => results[name].times.map(({ prompt }) => (nPromptTokens / prompt) * 1000),
  answer: (name) => results[name].times.map(({ token }) => 1000 / token),
};
const cell = (text, size) => String(text).padStart(size);
/** Ratios of the same round: whatever else the machine does weighs on both. */
function ratio(label, fast, slow, wanted) {
  const value = median(fast.map((speed, i) => speed / slow[i]));
  const verdict = value < wanted ? ' MISSED' : '';
  console.log(`${label.padEnd(32)} ${value.toFixed(2)} of ${wanted}${verdict}`);
  return value;
}

console.log(
  `llama of ${layers} layers, ${shape.width} wide: ${nPromptTokens} tokens and ${nAnswerTokens} to answer`,
);
console.log('type            MB  prompt/s  answer/s');
for (const [name, { bytes }] of Object.entries(files)) {
  const [inPrompt, inAnswer] = ['prompt', 'answer'].map((part) =>
    cell(median(speeds[part](name)).toFixed(1), 9),
  );
  console.log(
    `${name.padEnd(13)} ${cell((bytes.length / 1e6).toFixed(0), 4)} ${inPrompt} ${inAnswer}`,
  );
}
const ratios = {};
for (const [ours, theirs, inPrompt, inAnswer] of pairs) {
  const wanted = { prompt: inPrompt, answer: inAnswer };
  for (const [part, speed] of Object.entries(speeds)) {
    const label = `${part}, ${ours} : ${theirs}`;
    ratios[label] = ratio(label, speed(ours), speed(theirs), wanted[part]);
  }
  ratio(`${ours}, prompt : answer`, speeds.prompt(ours), speeds.answer(ours), targetPromptRatio);
}
for (const [ours, theirs] of [pairs[0], pairs[2]]) {
  const other = results[ours].ids.findIndex((id, i) => id !== results[theirs].ids[i]);
  console.log(
    `${ours}, ${theirs}: the first ${other < 0 ? nAnswerTokens : other} tokens are the same`,
  );
}
if (values.json) {
  writeFileSync(values.json, JSON.stringify({ environment: 'Chromium, beside wllama', ratios }));
}
