// The tokenizers of sentence encoders, through a directory that is converted to EMBD. The built module says the same ids and
// types as Hugging Face's library; encoder-tokenizers-fuzz.test.ts compares many more strings.

import tokenizers from 'tokenizers';
import { expect, test } from 'vitest';
import { ambry } from '../support/package.ts';
import { converted, difference, kinds, texts } from './support/encoder-tokenizers.ts';

/** Enough for all kinds of strings. */
const someTexts = texts.slice(0, 2000);

async function quantized(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const { blob } = await ambry.quantize(file, { type: 'int8' });
  return new Uint8Array((await blob?.arrayBuffer()) ?? []);
}

test.each(kinds)('$name gives the ids of Hugging Face', async ({ json, files }) => {
  expect(await difference(await converted(json, files), json, someTexts)).toBeUndefined();
});

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
  expect(await difference(small, json, someTexts)).toBeUndefined();
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
  const [first, second, other] = await model.embed([text, text, pair]);
  expect(first).toEqual(second);
  expect([...(first ?? []), ...(other ?? [])].every(Number.isFinite)).toBe(true);
  const long = 'the '.repeat(200);
  oracle.setTruncation(64);
  const rows = await model.embed(long, { pooling: 'none' });
  expect(rows).toHaveLength((await oracle.encode(long)).getIds().length * model.tokenDim);
  await expect(model.embed(long, { truncate: 'error' })).rejects.toMatchObject({
    code: 'LimitExceeded',
    path: 'texts[0]',
  });
});
