// The forms in which vectors of texts come: one array for a text, a list of arrays for a list of texts, or one matrix. All
// models that embed have the same.
import { afterAll, describe, expect, expectTypeOf, test } from 'vitest';
import type { EmbedOptions } from '../../../web/src/index.ts';
import { colbertDirectory } from '../support/directories/late-directories.ts';
import { model2vecDirectory } from '../support/directories/static-directories.ts';
import { languageFile } from '../support/files/language-file.ts';
import { wordFile } from '../support/files/word-files.ts';
import { ambry, smallModel } from '../support/package.ts';

const { createVectorIndex, open } = ambry;
const wordBytes = wordFile({ words: ['cat', 'dog'], dim: 3, row: (i) => [1 - i, i, 0.5] });
const encoder = await open(await smallModel(), { kind: 'encoder' });
const fixed = await open(model2vecDirectory(), { kind: 'encoder' });
const words = await open(new Blob([wordBytes]), { kind: 'words' });
const generator = await open(languageFile(), { kind: 'generator' });
const late = await open(colbertDirectory(), { kind: 'encoder' });
afterAll(async () => {
  for (const model of [encoder, fixed, words, generator, late]) {
    await model.dispose();
  }
});

const texts = ['the cat', 'a dog', 'cat dog'];
const many = Array.from({ length: 200 }, (_, i) => `the cat ${'dog '.repeat(i % 9)}`);

function expectOwnBuffer(vector: Float32Array): void {
  expect(vector).toBeInstanceOf(Float32Array);
  expect(vector.byteOffset).toBe(0);
  expect(vector.buffer.byteLength).toBe(vector.byteLength);
}

/** Which texts are computed together may change the last bits. */
function expectRows(matrix: Float32Array, vectors: readonly Float32Array[]): void {
  const numbers = vectors.flatMap((vector) => [...vector]);
  expect(matrix).toHaveLength(numbers.length);
  const off = numbers.map((number, i) => Math.abs(number - (matrix[i] ?? Number.NaN)));
  expect(off.every((difference) => difference < 1e-6)).toBe(true);
}

const models = [
  ['an encoder', encoder, {}, encoder.dim],
  ['an encoder with several workers', encoder, { workers: 2 }, encoder.dim],
  ['a static encoder', fixed, {}, fixed.dim],
  ['word vectors', words, {}, words.dim],
  ['a language model', generator, { pooling: 'mean' }, 64],
] as const;

describe.each(models)('%s', (_, model, options, dim) => {
  test('gives one array for a text', async () => {
    const vector = await model.embed('the cat', options);
    expect(vector).toHaveLength(dim);
    expectOwnBuffer(vector);
  });

  test('gives an array for each text of a list, each with its own buffer', async () => {
    for (const list of [texts, ['cat'], many]) {
      const vectors = await model.embed(list, options);
      expect(Array.isArray(vectors)).toBe(true);
      expect(vectors.map((vector) => vector.length)).toEqual(list.map(() => dim));
      expect(new Set(vectors.map(({ buffer }) => buffer)).size).toBe(list.length);
      vectors.forEach(expectOwnBuffer);
    }
    const [first, second] = await model.embed(texts, { ...options, as: 'vectors' });
    expect(first).not.toEqual(second);
  });

  test('gives one matrix with the same numbers', async () => {
    for (const list of [texts, many]) {
      const matrix = await model.embed(list, { ...options, as: 'matrix' });
      expectOwnBuffer(matrix);
      expectRows(matrix, await model.embed(list, options));
    }
    const one = await model.embed('the cat', { ...options, as: 'matrix' });
    expect(one).toEqual(await model.embed('the cat', options));
  });

  test('gives nothing for an empty list', async () => {
    expect(await model.embed([], options)).toEqual([]);
    expect(await model.embed([], { ...options, as: 'matrix' })).toEqual(new Float32Array());
  });

  test('refuses other forms by name', async () => {
    for (const [wrong, meant] of [
      ['matrx', ' Did you mean "matrix"?'],
      ['rows', ''],
    ] as const) {
      const given = { ...options, as: wrong } as object;
      await expect(model.embed('the cat', given)).rejects.toMatchObject({
        code: 'BadValue',
        path: 'options.as',
        message: `Must be one of vectors, matrix, not "${wrong}".${meant}`,
      });
    }
  });
});

describe('vectors of tokens', () => {
  const none = { pooling: 'none' } as const;

  test.each([
    ['an encoder', encoder, encoder.tokenDim],
    ['a static encoder', fixed, fixed.tokenDim],
    ['a language model', generator, 64],
  ] as const)('of %s are one array a text, with its own buffer', async (_, model, tokenDim) => {
    const one = await model.embed('the cat', none);
    expectOwnBuffer(one);
    expect(one.length % tokenDim).toBe(0);
    expect(one.length).toBeGreaterThan(tokenDim);
    const each = await model.embed(['the cat', 'a cat and a dog'], none);
    each.forEach(expectOwnBuffer);
    expect(each[0]).toEqual(one);
    expect(each[1]).not.toHaveLength(one.length);
    expect(await model.embed([], none)).toEqual([]);
  });

  test.each([
    ['an encoder', encoder],
    ['a language model', generator],
  ] as const)('of %s have no matrix', async (_, model) => {
    for (const given of ['the cat', texts]) {
      await expect(model.embed(given, { ...none, as: 'matrix' })).rejects.toMatchObject({
        code: 'BadValue',
        path: 'options.as',
        message: expect.stringContaining('no matrix'),
      });
    }
  });

  test('of late interaction are one array a text, with its own buffer', async () => {
    const one = await late.embedTokens('the cat');
    expectOwnBuffer(one);
    const each = await late.embedTokens(texts);
    each.forEach(expectOwnBuffer);
    expect(each[0]).toEqual(one);
    expect(await late.embedTokens([])).toEqual([]);
  });
});

test('vectors are transferred, also one by one', async () => {
  const vectors = await encoder.embed(texts);
  const [first, second] = vectors as [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>];
  const numbers = [...first];
  const sent = structuredClone(first, { transfer: [first.buffer] });
  expect([...sent]).toEqual(numbers);
  expect(first).toHaveLength(0);
  expect(second).toHaveLength(encoder.dim);
  const bytes = Buffer.from(second.buffer);
  expect(bytes).toHaveLength(4 * encoder.dim);
  expect(bytes.readFloatLE(4)).toBe(second[1]);
});

test('a matrix is what an index of own vectors takes', async () => {
  const matrix = await encoder.embed(texts, { as: 'matrix' });
  await using index = await createVectorIndex({ vectors: matrix, dim: encoder.dim, ids: texts });
  const [best] = await index.search(await encoder.embed('a dog'), { k: 1 });
  expect(best?.id).toBe('a dog');
});

test('the types say which form it is', async () => {
  type One = Float32Array<ArrayBuffer>;
  const either = texts as string | readonly string[];
  const any: EmbedOptions = {};
  const typesOf = (model: typeof encoder | typeof words | typeof generator) => {
    expectTypeOf(() => model.embed('a')).returns.resolves.toEqualTypeOf<One>();
    expectTypeOf(() => model.embed('a', any)).returns.resolves.toEqualTypeOf<One>();
    expectTypeOf(() => model.embed(texts)).returns.resolves.toEqualTypeOf<One[]>();
    expectTypeOf(() => model.embed(either)).returns.resolves.toEqualTypeOf<One | One[]>();
    expectTypeOf(() => model.embed(texts, any)).returns.resolves.toEqualTypeOf<One | One[]>();
    const matrix = { as: 'matrix' } as const;
    expectTypeOf(() => model.embed(texts, matrix)).returns.resolves.toEqualTypeOf<One>();
    expectTypeOf(() => model.embed(either, matrix)).returns.resolves.toEqualTypeOf<One>();
    const vectors = { as: 'vectors', pooling: 'none' } as const;
    expectTypeOf(() => model.embed(texts, vectors)).returns.resolves.toEqualTypeOf<One[]>();
    expectTypeOf(() => model.embed('a', vectors)).returns.resolves.toEqualTypeOf<One>();
  };
  expect(typesOf).toBeTypeOf('function');
  expectTypeOf(() => late.embedTokens('a')).returns.resolves.toEqualTypeOf<One>();
  expectTypeOf(() => late.embedTokens(texts)).returns.resolves.toEqualTypeOf<One[]>();
  expectTypeOf(() => late.embedTokens(either)).returns.resolves.toEqualTypeOf<One | One[]>();
});
