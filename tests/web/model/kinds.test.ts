// Each kind of model has only what it can do, for the compiler and at run time.
import { readFile } from 'node:fs/promises';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { ConvertOptions } from '../../../web/src/entries/types.ts';
import type {
  Encoder,
  Generator,
  ImageClassifier,
  MaskFiller,
  Model,
  QuestionAnswerer,
  Reranker,
  SparseEncoder,
  TextClassifier,
  TokenClassifier,
  WordVectors,
} from '../../../web/src/index.ts';
import { firstToAsk } from '../../../web/src/model/first-to-ask.ts';
import { headKinds } from '../../../web/src/model/kind.ts';
import { openingOf } from '../../../web/src/model/opening.ts';
import { headDirectory } from '../support/directories/head-directories.ts';
import { taggerDirectory } from '../support/directories/tagger-directories.ts';
import { maskDirectory, questionDirectory } from '../support/directories/token-head-directories.ts';
import { classifierFile } from '../support/files/classifier-files.ts';
import { languageFile } from '../support/files/language-file.ts';
import { networkFile } from '../support/files/network-file.ts';
import { wordFile } from '../support/files/word-files.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { ambry, smallModel } from '../support/package.ts';

const { open } = ambry;
const words = () => wordFile({ words: ['east', 'west'], dim: 2, row: (i) => [1 - i, i] });

const converted = async (files: ReadonlyMap<string, Uint8Array>, options: ConvertOptions = {}) =>
  new Uint8Array(await (await ambry.convert(new Map(files), options)).arrayBuffer());

const files = {
  encoder: smallModel,
  reranker: () => converted(headDirectory()),
  tokenClassifier: () => converted(taggerDirectory()),
  questionAnswering: () => converted(questionDirectory()),
  fillMask: () => converted(maskDirectory(), { head: 'fillMask' }),
  sparseEncoder: () => converted(maskDirectory(), { head: 'sparseEncoder' }),
  words: async () => words(),
  imageClassifier: async () => networkFile(),
  textClassifier: async () => classifierFile('hs.bin'),
  generator: async () => languageFile(),
} as const;

const methods = {
  encoder: [
    ...['embed', 'embedTokens', 'rank', 'explain'],
    ...['tokenize', 'detokenize', 'tokenCounts'],
  ],
  reranker: ['tokenize', 'detokenize', 'tokenCounts', 'logits', 'rank', 'score'],
  tokenClassifier: ['tokenize', 'detokenize', 'tokenCounts', 'tag', 'redact'],
  questionAnswering: ['tokenize', 'detokenize', 'tokenCounts', 'answer'],
  fillMask: ['tokenize', 'detokenize', 'tokenCounts', 'fill'],
  sparseEncoder: ['tokenize', 'detokenize', 'tokenCounts', 'embedSparse'],
  words: [...['embed', 'explain', 'vector', 'vectors', 'similar', 'analogy', 'accuracy', 'list']],
  imageClassifier: ['classify', 'run', 'agreement'],
  textClassifier: ['classify', 'logits', 'tokenize', 'detokenize', 'tokenCounts'],
  generator: ['embed', 'generate', 'logits', 'perplexity', 'tokenize', 'detokenize', 'tokenCounts'],
} as const;

const all = [...new Set(Object.values(methods).flat())];

describe.each(Object.keys(files) as (keyof typeof files)[])('a file of kind %s', (kind) => {
  test('opens as that kind, with its methods and no others', async () => {
    // Without the kind it is an encoder.
    const options = kind === 'fillMask' ? { kind } : {};
    const model: Model = await open(await files[kind](), options);
    expect(model.kind).toBe(kind);
    const own: readonly string[] = methods[kind];
    expect(all.filter((name) => name in model)).toEqual(all.filter((name) => own.includes(name)));
    await model.dispose();
  });

  test('opens with its kind, and is rejected with another kind', async () => {
    await using model = await open(await files[kind](), { kind });
    expect(model.kind).toBe(kind);
    // What has a head is an encoder, too.
    const isEncoder = kind === 'encoder' || (headKinds as readonly string[]).includes(kind);
    const other = isEncoder ? 'generator' : 'encoder';
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
  const kindOf = (bytes: Uint8Array) => openingOf(bytes)?.kind;
  expect(kindOf(await smallModel())).toBe('encoder');
  expect(kindOf(words())).toBe('words');
  expect(kindOf(languageFile())).toBe('generator');
  expect(kindOf(classifierFile('hs.bin'))).toBe('textClassifier');
  expect(kindOf(networkFile())).toBeUndefined();
  expect(kindOf(new Uint8Array(0))).toBeUndefined();
  const shipped = new URL('../../../web/demo/public/models/', import.meta.url);
  expect(kindOf(await readFile(new URL('english-192x1.weights', shipped)))).toBe('encoder');
});

test('the first bytes tell a text classifier of fastText from an encoder with a head', async () => {
  const wanted = 'textClassifier';
  expect(openingOf(classifierFile('hs.bin'), wanted)).toEqual({ kind: wanted, converts: false });
  const encoder = { kind: 'encoder', converts: false, code: 'encoder-small' };
  expect(openingOf(await smallModel(), wanted)).toEqual(encoder);
  const weights = modelDirectory().get('model.safetensors') as Uint8Array;
  expect(openingOf(weights, wanted)).toEqual({ kind: 'encoder', converts: true });
  expect(openingOf(languageFile(), wanted)?.kind).toBe(wanted);
});

test('the name of a file tells which worker looks for a text classifier first', () => {
  const at = (url: string) => firstToAsk('textClassifier', { kind: 'url', url });
  expect(at('https://example.org/lid.176.ftz?v=1')).toBe('textClassifier');
  expect(at('https://example.org/LID.BIN')).toBe('textClassifier');
  expect(at('https://example.org/nli.weights')).toBe('encoder');
  const blob = new File([], 'lid.176.ftz');
  expect(firstToAsk('textClassifier', { kind: 'blob', blob })).toBe('textClassifier');
  expect(firstToAsk('words', { kind: 'path', path: 'words.bin' })).toBe('words');
});

test('the first bytes say what has to be converted', async () => {
  const fastText = async (name: string) =>
    new Uint8Array(await readFile(new URL(`../../fixtures/fasttext/${name}`, import.meta.url)));
  const vectors = { kind: 'words', converts: true };
  expect(openingOf(await fastText('skipgram.bin'))).toEqual(vectors);
  // A supervised model classifies texts.
  expect(openingOf(await fastText('labels.ftz'))).not.toEqual(vectors);
  expect(openingOf(await fastText('labels.ftz'), 'words')).toEqual(vectors);
  const gguf = await ambry.convert(await smallModel(), { to: 'gguf' });
  const head = new Uint8Array(await gguf.slice(0, 200).arrayBuffer());
  expect(openingOf(head)).toEqual({ kind: 'encoder', converts: true });
  const weights = modelDirectory().get('model.safetensors') as Uint8Array;
  expect(openingOf(weights)).toEqual({ kind: undefined, converts: true });
  expect(openingOf(weights, 'generator')).toEqual({ kind: 'generator', converts: true });
  expect(openingOf(words())).toEqual({ kind: 'words', converts: false });
  expect(openingOf(await smallModel())).toEqual({
    kind: 'encoder',
    converts: false,
    code: 'encoder-small',
  });
  expect(openingOf(new TextEncoder().encode('2 2\neast 1 0\n'))).toBeUndefined();
  for (let end = 0; end < 100; end++) {
    for (const bytes of [head, weights]) {
      expect(() => openingOf(bytes.subarray(0, end))).not.toThrow();
    }
  }
});

test('the types of each kind have its methods only', () => {
  expectTypeOf(open<'encoder'>).returns.resolves.toEqualTypeOf<Encoder>();
  expectTypeOf(open<'words'>).returns.resolves.toEqualTypeOf<WordVectors>();
  expectTypeOf(open<'imageClassifier'>).returns.resolves.toEqualTypeOf<ImageClassifier>();
  expectTypeOf(open<'reranker'>).returns.resolves.toEqualTypeOf<Reranker>();
  expectTypeOf(open<'questionAnswering'>).returns.resolves.toEqualTypeOf<QuestionAnswerer>();
  expectTypeOf(open<'fillMask'>).returns.resolves.toEqualTypeOf<MaskFiller>();
  expectTypeOf(open<'sparseEncoder'>).returns.resolves.toEqualTypeOf<SparseEncoder>();
  expectTypeOf(open<'textClassifier'>).returns.resolves.toEqualTypeOf<TextClassifier>();
  expectTypeOf(open<'tokenClassifier'>).returns.resolves.toEqualTypeOf<TokenClassifier>();
  expectTypeOf(open<'generator'>).returns.resolves.toEqualTypeOf<Generator>();
  // Never called: the compiler refuses each of these lines, and refuses the comments above them where it does not.
  const refused = (
    encoder: Encoder,
    vectors: WordVectors,
    network: ImageClassifier,
    model: Model,
  ) => [
    // @ts-expect-error an encoder generates no text
    encoder.generate('once'),
    // @ts-expect-error an encoder has no nearest words
    encoder.similar('once'),
    // @ts-expect-error word vectors have no tokenizer
    vectors.tokenize('once'),
    // @ts-expect-error a network for pictures takes no text
    network.embed('once'),
    // @ts-expect-error not every model embeds
    model.embed('once'),
  ];
  expect(refused).toBeTypeOf('function');
});
