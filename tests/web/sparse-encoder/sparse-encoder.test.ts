// The built package in Node: sparse encoders of every form of directory, beside what their weights give.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SparseVector } from '../../../web/src/entries/types.ts';
import type { SparseEncoder } from '../../../web/src/index.ts';
import {
  fixedWeights,
  routedDirectory,
  spladeDirectory,
  tokenWeight,
  tokenWeightsDirectory,
} from '../support/directories/sparse-directories.ts';
import { maskDirectory, maskLogitsOf } from '../support/directories/token-head-directories.ts';
import { testVocabulary } from '../support/fixtures.ts';
import { ambry, smallModel } from '../support/package.ts';
import { ByteServer, contentOf } from '../support/servers/byte-server.ts';

const { open, convert, sparseDot } = ambry;
const text = 'The cat sat on the mat.';

interface Pooling {
  readonly sum?: boolean;
  readonly twice?: boolean;
}

/** The vectors of a text's tokens. */
async function tokensOf(given: string): Promise<Float32Array[]> {
  await using encoder = await open(maskDirectory(), { kind: 'encoder' });
  const rows = await encoder.embed(given, { pooling: 'none', normalize: false });
  const { tokenDim } = encoder;
  return Array.from({ length: rows.length / tokenDim }, (_, i) =>
    rows.subarray(i * tokenDim, (i + 1) * tokenDim),
  );
}

/** The weight of each word of the vocabulary. */
async function expectedWeights(
  given: string,
  { sum = false, twice = false }: Pooling = {},
): Promise<number[]> {
  const weights = testVocabulary.map(() => 0);
  for (const vector of await tokensOf(given)) {
    for (const [id, logit] of maskLogitsOf(vector).entries()) {
      const once = Math.log1p(Math.max(0, logit));
      const weight = twice ? Math.log1p(once) : once;
      const before = weights[id] as number;
      weights[id] = sum ? before + weight : Math.max(before, weight);
    }
  }
  return weights;
}

function expectVector({ ids, weights }: SparseVector, expected: readonly number[]) {
  const there = [...expected.keys()].filter((id) => expected[id] !== 0);
  expect([...ids].toSorted((a, b) => a - b)).toEqual(there);
  for (const [i, id] of ids.entries()) {
    expect(weights[i]).toBeCloseTo(expected[id] as number, 4);
    expect(weights[i]).toBeLessThanOrEqual(weights[i - 1] ?? Number.POSITIVE_INFINITY);
  }
}

let model: SparseEncoder;
beforeAll(async () => {
  model = await open(maskDirectory(), { kind: 'sparseEncoder' });
});
afterAll(() => model.dispose());

describe('a sparse encoder', () => {
  test('says what it is', async () => {
    expect(model.kind).toBe('sparseEncoder');
    expect(model.dimensions).toBe(testVocabulary.length);
    expect(model.hasFixedQueries).toBe(false);
    expect(model.info.config?.['tokenHead']).toEqual({
      kind: 'sparseEncoder',
      labels: [],
      fixedQueries: false,
    });
  });

  test('gives the weights that its definition gives', async () => {
    const vector = await model.embedSparse(text);
    expect(vector.words).toBeUndefined();
    expectVector(vector, await expectedWeights(text));
    expect(await model.embedSparse(text, { as: 'query' })).toEqual(vector);
  });

  test('takes several texts, which do not change each other', async () => {
    const texts = [text, '', 'a dog', `${text} ${text}`];
    const vectors = await model.embedSparse(texts);
    expect(vectors).toHaveLength(4);
    for (const [i, given] of texts.entries()) {
      expect(vectors[i]).toEqual(await model.embedSparse(given));
      expect(vectors[i]?.weights.buffer.byteLength).toBe((vectors[i]?.ids.length ?? 0) * 4);
    }
    expect(await model.embedSparse([])).toEqual([]);
  });

  test('keeps k words, and names them', async () => {
    const all = await model.embedSparse(text, { words: true });
    expect(all.words).toEqual([...all.ids].map((id) => testVocabulary[id]));
    const few = await model.embedSparse(text, { k: 3, words: true });
    expect(few).toEqual({
      ids: all.ids.slice(0, 3),
      weights: all.weights.slice(0, 3),
      words: all.words.slice(0, 3),
    });
    expect(await model.embedSparse(text, { k: 1e9 })).toEqual({
      ids: all.ids,
      weights: all.weights,
    });
  });

  test('refuses what is out of range', async () => {
    const refused = (options: object, given: string | string[] = text) =>
      expect(model.embedSparse(given as string, options)).rejects;
    await refused({ k: 0 }).toMatchObject({ code: 'BadValue', path: 'options.k' });
    await refused({ k: 1.5 }).toMatchObject({ code: 'BadValue', path: 'options.k' });
    await refused({ as: 'passage' }).toMatchObject({ code: 'BadValue', path: 'options.as' });
    const long = 'cat '.repeat(1000);
    await refused({ truncate: 'error' }, ['a', long]).toMatchObject({
      code: 'LimitExceeded',
      path: 'texts[1]',
    });
    expect((await model.embedSparse(long)).ids.length).toBeGreaterThan(0);
    await refused({}, ['a', 1] as never).toMatchObject({ code: 'BadValue', path: 'texts[1]' });
    await refused({ signal: AbortSignal.abort() }).toMatchObject({ name: 'AbortError' });
  });

  test('reads half a character as the sign for what is no character', async () => {
    expect(await model.embedSparse('a \ud83d cat')).toEqual(
      await model.embedSparse('a \ufffd cat'),
    );
  });
});

describe('a directory', () => {
  test('of SPLADE opens by itself, with its pooling', async () => {
    await using plain = await open(spladeDirectory());
    expect(plain.kind).toBe('sparseEncoder');
    const settings = { pooling_strategy: 'sum', activation_function: 'log1p_relu' };
    await using other = await open(spladeDirectory(settings), { kind: 'sparseEncoder' });
    expectVector(
      await other.embedSparse(text),
      await expectedWeights(text, { sum: true, twice: true }),
    );
  });

  test.each([
    '',
    'document_0_MLMTransformer',
  ])('with a router, and the model in "%s"', async (folder) => {
    const warnings: unknown[] = [];
    await using routed = await open(routedDirectory(folder), {
      kind: 'sparseEncoder',
      onWarning: (warning) => warnings.push(warning),
    });
    expect(warnings).toEqual([]);
    expect(routed.hasFixedQueries).toBe(true);
    expectVector(await routed.embedSparse(text), await expectedWeights(text, { twice: true }));
    const { ids } = await routed.tokenize(text, { special: false });
    const fixed = fixedWeights();
    const query = testVocabulary.map((_, id) => (ids.includes(id) ? (fixed[id] ?? 0) : 0));
    expectVector(await routed.embedSparse(text, { as: 'query' }), query);
    expect(await routed.embedSparse([], { as: 'query' })).toEqual([]);
  });

  test.each([
    '',
    'document_0_MLMTransformer',
  ])('is read by its address, with "%s"', async (folder) => {
    const server = await ByteServer.start();
    try {
      for (const [name, bytes] of routedDirectory(folder)) {
        server.serve(`routed/${name}`, { content: contentOf(bytes) });
      }
      const files = { ...Object.fromEntries(tokenWeightsDirectory()) };
      for (const [name, bytes] of Object.entries(files)) {
        server.serve(`tokens/${name}`, { content: contentOf(bytes) });
      }
      await using routed = await open(`${server.origin}/routed/`);
      expect([routed.kind, routed.kind === 'sparseEncoder' && routed.hasFixedQueries]).toEqual([
        'sparseEncoder',
        true,
      ]);
      await using tokens = await open(`${server.origin}/tokens/`, { kind: 'sparseEncoder' });
      expect((await tokens.embedSparse(text)).ids.length).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  });

  test('with idf.json has fixed weights for queries', async () => {
    const files = maskDirectory();
    const idf = (weights: object) =>
      files.set('idf.json', new TextEncoder().encode(JSON.stringify(weights)));
    idf({ cat: 2.5, mat: 0.5, '[UNK]': 0 });
    await using sparse = await open(files, { kind: 'sparseEncoder' });
    const { words, weights } = await sparse.embedSparse('mat cat mat 🐈', {
      as: 'query',
      words: true,
    });
    expect(words).toEqual(['cat', 'mat']);
    expect([...weights]).toEqual([2.5, 0.5]);
    idf({ cat: 2.5, zebra: 1 });
    await expect(open(files, { kind: 'sparseEncoder' })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'idf.json.zebra',
    });
  });

  test('with a sparse_linear.pt weighs the words of the text', async () => {
    await using dense = await open(tokenWeightsDirectory());
    expect(dense.kind).toBe('encoder');
    await using sparse = await open(tokenWeightsDirectory(), { kind: 'sparseEncoder' });
    const given = 'The cat sat on the mat cat';
    const { ids } = await sparse.tokenize(given);
    const rows = await tokensOf(given);
    const expected = testVocabulary.map(() => 0);
    for (const [i, id] of ids.entries()) {
      const isWord = i > 0 && i < ids.length - 1 && testVocabulary[id] !== '[UNK]';
      const weight = isWord ? tokenWeight(rows[i] as Float32Array) : 0;
      expected[id] = Math.max(expected[id] ?? 0, weight);
    }
    expectVector(await sparse.embedSparse(given), expected);
    const files = tokenWeightsDirectory();
    files.delete('sparse_linear.pt');
    await expect(open(files, { kind: 'sparseEncoder' })).rejects.toMatchObject({
      code: 'NotFound',
      path: 'options.head',
    });
  });

  test('is converted to a file that opens as a sparse encoder', async () => {
    const file = await convert(routedDirectory());
    const bytes = new Uint8Array(await file.arrayBuffer());
    await using sparse = await open(bytes);
    expect(sparse.kind).toBe('sparseEncoder');
    expect((await ambry.inspect(bytes)).run.kind).toBe('sparseEncoder');
    const small = await convert(bytes, { dtype: 'int8' });
    await using quantized = await open(new Uint8Array(await small.arrayBuffer()), {
      kind: 'sparseEncoder',
    });
    const [a, b] = [await model.embedSparse(text), await quantized.embedSparse(text)];
    expect(b.ids.length).toBeGreaterThan(0);
    expect(sparseDot(a, b)).toBeGreaterThan(0);
  });

  test('without such a head is refused', async () => {
    await expect(open(await smallModel(), { kind: 'sparseEncoder' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.kind',
    });
  });
});

describe('sparseDot', () => {
  const vector = (ids: number[], weights: number[]) => ({
    ids: Uint32Array.from(ids),
    weights: Float32Array.from(weights),
  });

  test('sums the products of the words that both have', () => {
    const a = vector([7, 2, 9], [1, 2, 3]);
    expect(sparseDot(a, vector([9, 1, 7], [2, 100, 0.5]))).toBe(6.5);
    expect(sparseDot(a, vector([], []))).toBe(0);
    expect(sparseDot(a, a)).toBe(14);
  });

  test('refuses anything else', () => {
    const a = vector([1], [1]);
    for (const wrong of [undefined, [1], { ids: [1], weights: [1] }, vector([1], []), model]) {
      expect(() => sparseDot(a, wrong as never)).toThrow(
        expect.objectContaining({ code: 'BadValue', path: 'b' }),
      );
    }
  });
});
