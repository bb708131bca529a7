// Each kind of model has only what it can do, for the compiler and at run time.
import { readFile } from 'node:fs/promises';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type {
  Classifier,
  Encoder,
  Generator,
  Model,
  TextClassifier,
  WordVectors,
} from '../../../web/src/index.ts';
import { kindOf } from '../../../web/src/model/kind.ts';
import { classifierFile } from '../support/classifier-files.ts';
import { languageFile } from '../support/language-file.ts';
import { networkFile } from '../support/network-file.ts';
import { ambry, smallModel } from '../support/package.ts';
import { wordFile } from '../support/word-files.ts';

const { open } = ambry;
const words = () => wordFile({ words: ['east', 'west'], dim: 2, row: (i) => [1 - i, i] });

const files = {
  encoder: smallModel,
  words: async () => words(),
  classifier: async () => networkFile(),
  textClassifier: async () => classifierFile('hs.bin'),
  generator: async () => languageFile(),
} as const;

const methods = {
  encoder: ['embed', 'explain', 'tokenize', 'detokenize', 'tokenCounts'],
  words: ['embed'],
  classifier: ['classify', 'agreement'],
  textClassifier: ['predict'],
  generator: ['generate', 'logits', 'perplexity', 'tokenize', 'detokenize', 'tokenCounts'],
} as const;

const all = [...new Set(Object.values(methods).flat())];

describe.each(Object.keys(files) as (keyof typeof files)[])('a file of kind %s', (kind) => {
  test('opens as that kind, with its methods and no others', async () => {
    const model: Model = await open(await files[kind]());
    expect(model.kind).toBe(kind);
    const own: readonly string[] = methods[kind];
    expect(all.filter((name) => name in model)).toEqual(all.filter((name) => own.includes(name)));
    await model.dispose();
  });

  test('opens with its kind, and is rejected with another kind', async () => {
    await using model = await open(await files[kind](), { kind });
    expect(model.kind).toBe(kind);
    const other = kind === 'encoder' ? 'generator' : 'encoder';
    await expect(open(await files[kind](), { kind: other })).rejects.toMatchObject({
      code: 'BadMagic',
    });
  });
});

test('an option of another kind is rejected', async () => {
  const file = await smallModel();
  await expect(open(file, { kind: 'encoder', mode: 'range' })).rejects.toMatchObject({
    code: 'BadValue',
    path: 'options.mode',
  });
  await expect(open(file, { kind: 'encoder', resident: 1000 })).rejects.toMatchObject({
    code: 'BadValue',
    path: 'options.resident',
  });
});

test('the first bytes of every format that runs determine its kind', async () => {
  expect(kindOf(await smallModel())).toBe('encoder');
  expect(kindOf(words())).toBe('words');
  expect(kindOf(languageFile())).toBe('generator');
  expect(kindOf(classifierFile('hs.bin'))).toBe('textClassifier');
  const vectors = await readFile(new URL('../../fixtures/fasttext/skipgram.bin', import.meta.url));
  expect(kindOf(vectors)).toBe('words');
  expect(kindOf(networkFile())).toBeUndefined();
  expect(kindOf(new Uint8Array(0))).toBeUndefined();
  const shipped = new URL('../../../web/demo/public/models/', import.meta.url);
  expect(kindOf(await readFile(new URL('english-192x1.weights', shipped)))).toBe('encoder');
});

test('the types of each kind have its methods only', () => {
  expectTypeOf(open<'encoder'>).returns.resolves.toEqualTypeOf<Encoder>();
  expectTypeOf(open<'words'>).returns.resolves.toEqualTypeOf<WordVectors>();
  expectTypeOf(open<'classifier'>).returns.resolves.toEqualTypeOf<Classifier>();
  expectTypeOf(open<'textClassifier'>).returns.resolves.toEqualTypeOf<TextClassifier>();
  expectTypeOf(open<'generator'>).returns.resolves.toEqualTypeOf<Generator>();
  // Never called: the compiler refuses each of these lines, and refuses the comments above them where it does not.
  const refused = (encoder: Encoder, vectors: WordVectors, network: Classifier, model: Model) => [
    // @ts-expect-error an encoder generates no text
    encoder.generate('once'),
    // @ts-expect-error an encoder has no words
    encoder.words,
    // @ts-expect-error word vectors have no tokenizer
    vectors.tokenize('once'),
    // @ts-expect-error a network for pictures takes no text
    network.embed('once'),
    // @ts-expect-error not every model embeds
    model.embed('once'),
  ];
  expect(refused).toBeTypeOf('function');
});
