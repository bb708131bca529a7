// Texts a second of a static encoder and of an encoder of MiniLM's shape (6 layers, 384 wide, random weights), through
// the package in Node with one worker each, by turns in one run; and what of the static encoder's time tokenizing takes.
//
// Build first (npm run build).
//
//   node tests/bench/static/static-bench.mjs [--rounds 5] [--json FILE]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { convert, open } from '../../../dist/node.js';
import { embdFile, randomEncoder, wordOf } from '../encoder/encoder-model.mjs';
import { median } from '../support/median.mjs';
import { randomNumbers } from '../support/wasm-module.mjs';

const vocabulary = 30522;
const nSpecial = 5;
const usualDim = 256;
/** Ours static : MiniLM's shape, in texts a second. */
const leastRatio = 50;
/** Tokens of a text, and how many texts each model embeds in a round. */
const lengths = [
  { tokens: 20, many: 20_000, few: 64 },
  { tokens: 128, many: 4_000, few: 16 },
];

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, json: { type: 'string' } },
});
const random = randomNumbers();
const pick = (n) => Math.min(n - 1, Math.floor(((random() + 1) / 2) * n));

/** A text of single tokens. */
const textOf = (tokens) =>
  Array.from({ length: tokens }, () => wordOf(nSpecial + pick(vocabulary - nSpecial))).join(' ');

/** A directory as Model2Vec writes it. */
function staticDirectory(dim) {
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  const vocab = Object.fromEntries(
    Array.from({ length: vocabulary }, (_, id) => [special[id] ?? wordOf(id), id]),
  );
  const tokenizer = {
    added_tokens: [],
    normalizer: { type: 'BertNormalizer', lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: { type: 'WordPiece', unk_token: '[UNK]', vocab },
  };
  const rows = Float32Array.from({ length: vocabulary * dim }, () => random());
  const header = Buffer.from(
    JSON.stringify({
      embeddings: { dtype: 'F32', shape: [vocabulary, dim], data_offsets: [0, rows.byteLength] },
    }).padEnd(96),
  );
  const length = Buffer.alloc(8);
  length.writeUInt32LE(header.length);
  const blob = (text) => new Blob([text]);
  return {
    'config.json': blob(JSON.stringify({ model_type: 'model2vec', normalize: true })),
    'tokenizer.json': blob(JSON.stringify(tokenizer)),
    'model.safetensors': new Blob([length, header, rows]),
  };
}

async function millisecondsOf(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

const heads = 12;
const shape = { layers: 6, width: 384, inner: 1536, vocabulary, heads };
const bert = new Blob([embdFile(randomEncoder(shape))]);
const encoderTypes = ['f32', 'int8'];
const staticTypes = ['f32', 'f16', 'int8'];
const models = {};
for (const type of encoderTypes) {
  models[`MiniLM’s shape, ${type}`] = await open(bert, { kind: 'encoder', weights: type });
}
for (const dtype of staticTypes) {
  models[`static, ${dtype}`] = await open(await convert(staticDirectory(usualDim), { dtype }), {
    kind: 'encoder',
  });
}
// Vectors of one number leave little but the tokens and the messages.
const tokensOnly = await open(await convert(staticDirectory(1)), { kind: 'encoder' });
const isStatic = (name) => name.startsWith('static');
const results = [];
for (const { tokens, many, few } of lengths) {
  const texts = Array.from({ length: many }, () => textOf(tokens));
  const rates = Object.fromEntries(Object.keys(models).map((name) => [name, []]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, model] of Object.entries(models)) {
      const some = isStatic(name) ? texts : texts.slice(0, few);
      const time = await millisecondsOf(() => model.embed(some));
      rates[name].push((1000 * some.length) / time);
    }
  }
  const time = await millisecondsOf(() => tokensOnly.embed(texts));
  results.push({ tokens, rates, withoutRows: (1000 * many) / time });
}
for (const model of [...Object.values(models), tokensOnly]) {
  await model.dispose();
}

for (const { tokens, rates, withoutRows } of results) {
  console.log(`\ntexts of ${tokens} tokens`);
  for (const [name, all] of Object.entries(rates)) {
    console.log(`  ${name.padEnd(24)} ${median(all).toFixed(0).padStart(8)} texts a second`);
  }
  console.log(`  vectors of one number    ${withoutRows.toFixed(0).padStart(8)} texts a second`);
  for (const type of encoderTypes) {
    const slow = rates[`MiniLM’s shape, ${type}`];
    const ratio = median(rates['static, int8'].map((rate, i) => rate / slow[i]));
    const verdict = type === 'f32' && ratio < leastRatio ? ' MISSED' : '';
    console.log(
      `  static int8 : MiniLM’s shape ${type}  ${ratio.toFixed(0)} of ${leastRatio}${verdict}`,
    );
  }
}
if (values.json) {
  writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
}
