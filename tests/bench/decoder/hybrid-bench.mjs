// Answers of hybrid models in Chromium, on one thread: by our package and by llama.cpp, compiled to WebAssembly by wllama,
// by turns in one run. Both read files of Q4_0 and of Q4_K; of Q4_0 ours reads what `convert` makes, block for block.
// A llama of the same width shows what is no matter of the layers' kind. Build first (npm run build).
//
//   node tests/bench/decoder/hybrid-bench.mjs [--model NAME] [--rounds N] [--layers N]
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { convert } from '../../../dist/node.js';
import { inChromium } from '../support/chromium.mjs';
import { answerShares, limitsLine, machineLimits } from '../support/machine-limits.mjs';
import { median } from '../support/median.mjs';
import { ggufOf, ggufTypes, promptOf } from './gguf-file.mjs';
import { hybrids, llama } from './hybrid-shapes.mjs';

const nPromptTokens = 64;
const nAnswerTokens = 24;
/** Ours and theirs, and how many times as fast ours answers, at least. */
const pairs = [
  ['int4_block', 'q4_0', 8],
  ['our q4_k', 'q4_k', 5],
];

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    layers: { type: 'string', default: '16' },
  },
});
const [rounds, layers] = [Number(values.rounds), Number(values.layers)];

async function converted(gguf) {
  const blob = await convert(new Blob([gguf]), { to: 'amb' });
  return Buffer.from(await blob.arrayBuffer());
}

/** Operations of an answer's token in the matrices, two for each weight. The embedding is the output, too. */
const operationsOf = ({ tensors }) =>
  tensors.reduce(
    (all, [, extents, floats]) =>
      extents.length === 2 && floats === undefined ? all + 2 * extents[0] * extents[1] : all,
    0,
  );

/** What an answer takes of what the machine can do. Each token reads the matrices once. */
function shares(model, type, ours, theirs) {
  const tokens = ({ times }) => 1000 / median(times.map(({ token }) => token));
  const { weights, bytes } = ggufTypes[type];
  const operations = operationsOf(model);
  const read = (operations / 2 / weights) * bytes;
  return answerShares(limits, {
    own: tokens(ours),
    other: tokens(theirs),
    operations,
    bytes: read,
  });
}

async function measure(model) {
  const q4 = ggufOf(model, ggufTypes.q4_0);
  const files = {
    '/int4_block.amb': await converted(q4),
    '/q4_0.gguf': q4,
    '/q4_k.gguf': ggufOf(model, ggufTypes.q4_k),
  };
  return await inChromium(
    'decoder/wllama-page.mjs',
    {
      paths: { int4_block: '/int4_block.amb', 'our q4_k': '/q4_k.gguf' },
      wllamaPaths: { q4_0: '/q4_0.gguf', q4_k: '/q4_k.gguf' },
      rounds,
      ...promptOf(nPromptTokens),
      answer: nAnswerTokens,
    },
    {
      files,
      folders: {
        '/wllama/': dirname(createRequire(import.meta.url).resolve('@wllama/wllama')),
      },
    },
  );
}

const limits = await machineLimits();
console.log(limitsLine(limits));
for (const [name, make] of Object.entries({ ...hybrids, llama })) {
  if (values.model && values.model !== name) {
    continue;
  }
  const model = make(layers);
  const results = await measure(model);
  console.log(
    `${name} of ${layers} layers: ${nPromptTokens} tokens and ${nAnswerTokens} to answer`,
  );
  console.log('type        prompt/s  answer/s');
  for (const [type, { times }] of Object.entries(results)) {
    const prompt = median(times.map((time) => (nPromptTokens / time.prompt) * 1000));
    const answer = median(times.map((time) => 1000 / time.token));
    console.log(
      `${type.padEnd(11)} ${prompt.toFixed(1).padStart(8)}  ${answer.toFixed(1).padStart(8)}`,
    );
  }
  for (const [ours, theirs, wanted] of pairs) {
    // Ratios of the same round: whatever else the machine does weighs on both.
    const ratios = results[ours].times.map(
      ({ token }, i) => results[theirs].times[i].token / token,
    );
    const value = median(ratios);
    const verdict = value < wanted ? ' MISSED' : '';
    console.log(
      `answer, ${ours} : ${theirs}`.padEnd(32),
      `${value.toFixed(2)} of ${wanted}${verdict}`,
    );
    console.log(shares(model, theirs, results[ours], results[theirs]));
    const other = results[ours].ids.findIndex((id, i) => id !== results[theirs].ids[i]);
    const same = other < 0 ? nAnswerTokens : other;
    console.log(`${ours}, ${theirs}: the first ${same} tokens are the same`);
  }
}
