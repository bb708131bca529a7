// Options of other libraries: the error names the option of ours that does the same, or says why there is none.
import { afterAll, expect, test } from 'vitest';
import { needless, otherOptions } from '../../web/src/base/other-words.ts';
import { headDirectory, nliLabels } from './support/directories/head-directories.ts';
import { languageFile } from './support/files/language-file.ts';
import { ambry, smallModel } from './support/package.ts';

const file = await smallModel();
const encoder = await ambry.open(file, { kind: 'encoder' });
const nli = await ambry.open(headDirectory({ labels: nliLabels }), { kind: 'textClassifier' });
const generator = await ambry.open(languageFile(), { kind: 'generator' });
const tokenizer = await ambry.openTokenizer(file);
afterAll(async () => {
  for (const model of [encoder, nli, generator, tokenizer]) {
    await model.dispose();
  }
});

type Run = (options: never) => Promise<unknown>;
const open: Run = (options) => ambry.open(file, options);
const openTokenizer: Run = (options) => ambry.openTokenizer(file, options);
const embed: Run = (options) => encoder.embed('cat', options);
const classify: Run = (options) => nli.classify('cat', options);
const generate: Run = (options) => generator.generate('a', options).result;
const tokenize: Run = (options) => tokenizer.tokenize('cat', options);
const detokenize: Run = (options) => tokenizer.detokenize([1], options);

/** A call that has each of our options with words in the table. */
const callsWith: Readonly<Record<string, Run>> = {
  maxTokens: generate,
  temperature: generate,
  repetitionPenalty: generate,
  penaltyLastN: generate,
  stop: generate,
  stopIds: generate,
  format: generate,
  context: open,
  threads: open,
  quantize: open,
  kv: open,
  cache: open,
  hub: open,
  wasmUrl: open,
  k: classify,
  threshold: classify,
  candidates: classify,
  hypothesis: classify,
  normalize: embed,
  dim: embed,
  as: embed,
  workers: embed,
  special: tokenize,
  skipSpecial: detokenize,
  pair: tokenize,
  lowercase: openTokenizer,
  onProgress: embed,
  signal: embed,
};

const messageOf = async (run: Run | undefined, option: string) => {
  const error = await run?.({ [option]: 1 } as never).catch((error: Error) => error);
  return (error as Error).message;
};

const inSnakeCase = (word: string) => word.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

test.each(Object.entries(otherOptions))('%s', async (ours, words) => {
  for (const word of words.flatMap((word) => [word, inSnakeCase(word)])) {
    const meant = `There is no option "${word}". Did you mean "${ours}"?`;
    expect(await messageOf(callsWith[ours], word)).toBe(meant);
  }
});

test.each(Object.entries(needless))('%s', async (why, words) => {
  for (const word of words.flatMap((word) => [word, inSnakeCase(word)])) {
    expect(await messageOf(embed, word)).toBe(`There is no option "${word}". ${why}`);
  }
});

test.each([
  ['top_k', generate, 'topK'],
  ['top_k', classify, 'k'],
  ['prompt_name', embed, 'promptName'],
  ['multi_label', classify, 'multiLabel'],
])('%s is meant where a call has it', async (word, run, ours) => {
  expect(await messageOf(run, word)).toContain(` Did you mean "${ours}"?`);
});

test('a word for an option that the call does not have is no advice', async () => {
  expect(await messageOf(embed, 'max_new_tokens')).toBe('There is no option "max_new_tokens".');
});
