// Opens an int8 ONNX file of 23 MB, a MiniLM-L6-shaped encoder of random weights, beside the EMBD file that it is
// converted to, and embeds texts with both. Opening by turns in one run.
//
// Build first (npm run build).
//
//   node tests/bench/onnx/onnx-bench.mjs [LAYERS WIDTH] [--rounds 7] [--json FILE]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { convert, open } from '../../../dist/node.js';
import { encoderDirectory, randomEncoder, wordOf } from '../encoder/encoder-model.mjs';
import { median } from '../support/median.mjs';
import { exportedEncoder } from './exported-encoder.mjs';

/** The most of the time that EMBD takes to open, and the least of its speed of embedding. */
const goals = { open: 2, embed: 0.95 };
const nTexts = 64;
const nWords = 30;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '7' }, json: { type: 'string' } },
});
const [layers = 6, width = 384] = positionals.map(Number);
const model = randomEncoder({
  layers,
  width,
  inner: 4 * width,
  vocabulary: 30522,
  heads: width / 32,
});
const { 'model.safetensors': _, ...side } = encoderDirectory(model);
const onnx = { ...side, 'onnx/model_quantized.onnx': new Blob([exportedEncoder(model, true)]) };
const embd = new Blob([await (await convert(onnx)).arrayBuffer()]);
const texts = Array.from({ length: nTexts }, (_, i) =>
  Array.from({ length: nWords }, (_, j) => wordOf(5 + ((i * 131 + j * 17) % 30000))).join(' '),
);

async function timed(run) {
  const begin = performance.now();
  const result = await run();
  return [performance.now() - begin, result];
}

const times = { onnx: { open: [], embed: [] }, embd: { open: [], embed: [] } };
const vectors = {};
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const [name, file] of Object.entries({ onnx, embd })) {
    const [opening, opened] = await timed(() => open(file, { kind: 'encoder' }));
    await opened.embed(texts.slice(0, 2));
    const [embedding, made] = await timed(() => opened.embed(texts));
    vectors[name] = made;
    await opened.dispose();
    // The first round compiles and fills caches.
    if (round > 0) {
      times[name].open.push(opening);
      times[name].embed.push(embedding);
    }
  }
}

const same = vectors.onnx.every((vector, i) => vector.every((x, j) => x === vectors.embd[i][j]));
const sizes = { onnx: onnx['onnx/model_quantized.onnx'].size, embd: embd.size };
for (const [name, { open: opens, embed }] of Object.entries(times)) {
  const rate = (1000 * nTexts) / median(embed);
  console.log(
    `${name} ${(sizes[name] / 1e6).toFixed(1)} MB: open ${median(opens).toFixed(0)} ms, ${rate.toFixed(0)} texts a second`,
  );
}
const ratio = (of) => median(times.onnx[of].map((time, i) => time / times.embd[of][i]));
const ratios = {
  'ONNX open : EMBD open': ratio('open'),
  'EMBD embed : ONNX embed': 1 / ratio('embed'),
};
const opened = ratios['ONNX open : EMBD open'];
const embedded = ratios['EMBD embed : ONNX embed'];
console.log(
  `opening takes ${opened.toFixed(2)} of EMBD's time, at most ${goals.open}${opened > goals.open ? ' MISSED' : ''}`,
);
console.log(
  `embedding is ${embedded.toFixed(2)} as fast, at least ${goals.embed}${embedded < goals.embed ? ' MISSED' : ''}`,
);
console.log(`the vectors are ${same ? 'the same' : 'not the same MISSED'}`);
if (values.json) {
  writeFileSync(values.json, `${JSON.stringify({ environment: 'Node', ratios }, null, 2)}\n`);
}
