// The tokenizers of sentence encoders, through a directory that is converted to EMBD: the built module says the same ids and
// types as Hugging Face's library for 20,000 generated strings and 4,000 pairs of each. The strings are the same in every
// run. Vocabularies are made up; real ones are compared too where the data folder has them.

import { readFile } from 'node:fs/promises';
import tokenizers from 'tokenizers';
import { expect, test } from 'vitest';
import { unwrap } from '../../../web/src/runtime/worker-heap.ts';
import type { TextTokenizer } from '../../../web/src/wasm/types.mjs';
import { dataPath, missingData } from '../../data-folder.mjs';
import { encoderTokenizers } from '../../reference/encoder-tokenizers.mjs';
import { readModel } from '../../reference/sentencepiece-models.mjs';
import { generateString, makeRandom } from '../../reference/string-generator.mjs';
import { loadModule } from '../support/core-module.ts';
import { ambry } from '../support/package.ts';
import { encoderDirectory } from '../support/tokenizer-directories.ts';

const nTexts = 20_000;
const nPairs = 4000;
const batch = 2000;
const utf8 = new TextEncoder();
const module = await loadModule();
const wellFormed = (text: string) => new TextDecoder().decode(utf8.encode(text));

const spice = [
  ...["'s", "''", '``', 'Ab', '10,', '12,5', '-------', '\n\n', '  ', ' \n', '\u2581', '\t', '<s>'],
  ...['[CLS]', '[MASK]', '<mask>', ' <mask> ', '<pad>', '</s>', '<extra_id_3>', '[UNK]', 'ａ！'],
  ...['é', 'e\u0301', 'Å', 'ﬁ', '½', '①', '가나', 'ΑΣ', '\u0301a', 'the', '|||EMAIL|||', '   '],
];
const random = makeRandom(91);
const corpus = wellFormed(Array.from({ length: 500 }, () => generateString(random)).join('\n'));
const texts = Array.from({ length: nTexts }, () => {
  const text = generateString(random, spice);
  return wellFormed(random.below(3) ? text : text + random.pick(spice) + random.pick(spice));
});

/** The map of characters of a real model, if there is one. */
async function realMap(): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const name = 'tokenizers/sentencepiece/test_model.model';
  if (missingData(name) !== undefined) return undefined;
  const map = readModel(new Uint8Array(await readFile(dataPath(name)))).charsmap;
  return map?.length ? new Uint8Array(map) : undefined;
}

interface Encoded {
  readonly ids: readonly number[];
  readonly typeIds: readonly number[];
}

/** Our tokenizer of an EMBD file. */
function opened(file: Uint8Array) {
  const source = unwrap(module.createSource(file.length, false));
  unwrap(module.insert(source, 0, file));
  const tokenizer: TextTokenizer = unwrap(module.openTokenizer(source));
  module.release(source);
  return {
    encode: (text: string, pair?: string) => {
      const second = utf8.encode(pair ?? '');
      const answer = module.tokenizeWith(
        tokenizer,
        utf8.encode(text),
        true,
        pair !== undefined,
        second,
      );
      return unwrap(answer) as Encoded;
    },
    release: () => module.release(tokenizer),
  };
}

const line = ({ ids, typeIds }: Encoded) => `${ids} / ${typeIds}`;

/** The first text or pair for which we differ. */
async function difference(
  file: Uint8Array,
  json: object,
  strings: readonly string[],
): Promise<string | undefined> {
  const oracle = tokenizers.Tokenizer.fromString(JSON.stringify(json));
  const ours = opened(file);
  const compare = (want: tokenizers.Encoding, text: string, pair?: string) => {
    const wanted = line({ ids: want.getIds(), typeIds: want.getTypeIds() });
    const got = line(ours.encode(text, pair));
    return got === wanted
      ? undefined
      : `${JSON.stringify([text, pair])}\nwant ${wanted}\ngot  ${got}`;
  };
  try {
    for (let begin = 0; begin < strings.length; begin += batch) {
      const part = strings.slice(begin, begin + batch);
      for (const [i, want] of (await oracle.encodeBatch(part)).entries()) {
        const found = compare(want, part[i] ?? '');
        if (found) return found;
      }
    }
    for (let i = 0; i < Math.min(2 * nPairs, strings.length); i += 2) {
      const [text = '', pair = ''] = strings.slice(i, i + 2);
      const found = compare(await oracle.encode(text, pair), text, pair);
      if (found) return found;
    }
    return undefined;
  } finally {
    ours.release();
  }
}

async function converted(
  json: object,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const rows = tokenizers.Tokenizer.fromString(JSON.stringify(json)).getVocabSize(true);
  const blob = await ambry.convert(encoderDirectory(rows, files));
  return new Uint8Array(await blob.arrayBuffer());
}

async function quantized(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const { blob } = await ambry.quantize(file, { type: 'int8' });
  return new Uint8Array((await blob?.arrayBuffer()) ?? []);
}

const kinds = encoderTokenizers(corpus, await realMap());

test.each(kinds)('$name gives the ids of Hugging Face', async ({ json, files }) => {
  expect(await difference(await converted(json, files), json, texts)).toBeUndefined();
}, 300_000);

test.each(kinds)('an EMBD file with the tokenizer of $name is valid', async ({ json, files }) => {
  const report = await ambry.validate(await converted(json, files), { strict: true, values: true });
  expect(report.errors).toEqual([]);
  expect(report.valid).toBe(true);
});

test.each([
  'XLM-R',
  'RoBERTa',
  'MPNet',
])('int8 weights and a rewritten file keep the tokenizer of %s', async (name) => {
  const { json, files } = kinds.find((kind) => kind.name === name) ?? { json: {}, files: {} };
  const file = await converted(json, files);
  const again = new Uint8Array(await (await ambry.convert(file)).arrayBuffer());
  expect(again).toEqual(file);
  const small = await quantized(file);
  expect(await difference(small, json, texts.slice(0, batch))).toBeUndefined();
});

test.each([
  'BERT, uncased',
  'MPNet',
  'RoBERTa',
  'ModernBERT',
  'XLM-R',
  'ALBERT',
  'T5',
  'DeBERTa-v3',
])('an encoder with the tokenizer of %s tokenizes, embeds and cuts texts', async (name) => {
  const { json, files } = kinds.find((kind) => kind.name === name) ?? { json: {}, files: {} };
  const oracle = tokenizers.Tokenizer.fromString(JSON.stringify(json));
  await using model = await ambry.open(await converted(json, files), { kind: 'encoder' });
  const [text, pair] = ['The naïve café, 12,5 -------', 'Größe'];
  const want = await oracle.encode(text, pair);
  const tokens = await model.tokenize(text, { pair });
  expect(tokens.ids).toEqual(want.getIds());
  expect(tokens.typeIds).toEqual(want.getTypeIds());
  const skipped = await model.detokenize(tokens.ids, { skipSpecial: true });
  expect(skipped).toBe(await oracle.decode(want.getIds(), true));
  const vectors = await model.embed([text, text, pair]);
  expect(vectors.subarray(0, model.dim)).toEqual(vectors.subarray(model.dim, 2 * model.dim));
  expect(vectors.every(Number.isFinite)).toBe(true);
  const long = 'the '.repeat(200);
  oracle.setTruncation(64);
  const rows = await model.embed(long, { pooling: 'none' });
  expect(rows[0]).toHaveLength((await oracle.encode(long)).getIds().length * model.tokenDim);
  await expect(model.embed(long, { truncate: 'error' })).rejects.toMatchObject({
    code: 'LimitExceeded',
    path: 'texts[0]',
  });
});

const realFiles = [
  'tokenizers/bert/all-MiniLM-L6-v2.tokenizer.json',
  'tokenizer_json/ort_roberta-base.json',
  'tokenizer_json/ort_t5-small.json',
];

for (const name of realFiles) {
  const missing = missingData(name);
  test.skipIf(missing)(
    `the real vocabulary of ${missing ?? name} gives the ids of Hugging Face`,
    async () => {
      const file = await readFile(dataPath(name));
      const json = JSON.parse(file.toString()) as { truncation?: null; padding?: null };
      const plain = { ...json, truncation: null, padding: null };
      const embd = await converted(plain, { 'tokenizer.json': new Uint8Array(file) });
      expect(await difference(embd, plain, texts)).toBeUndefined();
    },
    300_000,
  );
}
