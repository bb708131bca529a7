// The tokenizers of sentence encoders say the same ids and types as Hugging Face's library for generated strings and
// pairs of each kind. Vocabularies are made up; real ones are compared too where the data folder has them.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { dataPath, missingData } from '../../data-folder.mjs';
import { converted, difference, kinds, texts } from './support/encoder-tokenizers.ts';

test.each(kinds)('$name gives the ids of Hugging Face', async ({ json, files }) => {
  expect(await difference(await converted(json, files), json, texts)).toBeUndefined();
}, 300_000);

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
