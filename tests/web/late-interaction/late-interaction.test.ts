// The built package in Node: models with late interaction. tests/core/api/encoder/token_job_test.cpp compares their vectors
// with PyTorch's.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Encoder, Progress } from '../../../web/src/index.ts';
import {
  colbertDirectory,
  documentLength,
  lateDim,
  maxSim,
  pylateDirectory,
  queryLength,
} from '../support/directories/late-directories.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const query = 'the mat';
const documents = ['dog ran home!', 'the cat sat.', '', 'on the mat', 'a cat, a mat, a home'];

describe('a model with late interaction', () => {
  let model: Encoder;
  beforeAll(async () => {
    model = await openEncoder(colbertDirectory());
  });
  afterAll(() => model.dispose());

  test('says how it reads texts', () => {
    expect(model).toMatchObject({ kind: 'encoder', dim: lateDim });
    expect(model.lateInteraction).toMatchObject({
      queryLength,
      documentLength,
      attendToExpansion: false,
    });
    expect(model.lateInteraction?.expansion).toBe(model.info.tokenizer?.special['mask']);
  });

  test('fills queries, and leaves out the punctuation of documents', async () => {
    const rowsOf = (matrix: Float32Array | undefined) => (matrix?.length ?? 0) / lateDim;
    const queries = await model.embedTokens(['the mat', ''], { as: 'query' });
    expect(queries.map(rowsOf)).toEqual([queryLength, queryLength]);
    // [CLS], the marker and [SEP], and three words. Without them there are no more vectors than without the dot.
    const matrices = await model.embedTokens(['the cat sat.', 'the cat sat', '']);
    expect(matrices.map(rowsOf)).toEqual([6, 6, 3]);
    expect(matrices[0]).not.toEqual(matrices[1]);
    for (const matrix of [...queries, ...matrices]) {
      for (let at = 0; at < matrix.length; at += lateDim) {
        expect(Math.hypot(...matrix.subarray(at, at + lateDim))).toBeCloseTo(1, 5);
      }
    }
    expect(await model.embedTokens('the cat sat.')).toEqual(matrices[0]);
  });

  test('ranks documents by MaxSim', async () => {
    const asked = await model.embedTokens(query, { as: 'query' });
    const matrices = await model.embedTokens(documents);
    const expected = matrices.map((matrix) => maxSim(asked, matrix));
    const ranked = await model.rank(query, documents, { returnDocuments: true });
    expect(ranked.map(({ index }) => index)).toEqual(
      expected.map((_, i) => i).toSorted((a, b) => (expected[b] ?? 0) - (expected[a] ?? 0)),
    );
    for (const { index, score, text } of ranked) {
      expect(score).toBeCloseTo(expected[index] ?? Number.NaN, 4);
      expect(text).toBe(documents[index]);
    }
    const two = await model.rank(query, documents, { k: 2 });
    expect(two).toEqual(ranked.slice(0, 2).map(({ index, score }) => ({ index, score })));
    expect(await model.rank(query, [])).toEqual([]);
  });

  test('reports its progress, and gives a document the same score in a long list', async () => {
    const many = Array.from({ length: 300 }, (_, i) => `the cat ran home ${'. '.repeat(i % 7)}`);
    const seen: Progress[] = [];
    const all = await model.rank(query, many, { onProgress: (part) => seen.push(part) });
    expect(seen.at(-1)).toMatchObject({ phase: 'score', loaded: 300, total: 300 });
    for (const i of [0, 130, 299]) {
      const [alone] = await model.rank(query, [many[i] as string]);
      expect(all.find(({ index }) => index === i)?.score).toBe(alone?.score);
    }
  });

  test('names a document that is too long', async () => {
    const long = 'the cat sat on the mat '.repeat(5);
    const many = [...Array.from({ length: 140 }, () => 'cat'), long];
    const run = model.rank(query, many, { truncate: 'error' });
    await expect(run).rejects.toMatchObject({ code: 'LimitExceeded', path: 'documents[140]' });
    expect(await model.rank(query, [long])).toHaveLength(1);
  });

  test('stops when it is told to', async () => {
    const controller = new AbortController();
    const many = Array.from({ length: 5000 }, () => 'the cat sat on the mat');
    const { signal } = controller;
    const run = model.rank(query, many, { signal, onProgress: () => controller.abort() });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect(await model.rank(query, ['cat'])).toHaveLength(1);
  });

  test.each([
    ['no text', () => model.rank(3 as never, ['a']), 'BadValue', 'query'],
    ['no documents', () => model.rank('a', 'b' as never), 'BadValue', 'documents'],
    ['half a result', () => model.rank('a', ['b'], { k: 0.5 }), 'BadValue', 'options.k'],
    ['a role', () => model.embedTokens('a', { as: 'text' as never }), 'BadValue', 'options.as'],
    ['a vector of a text', () => model.embed('a'), 'Unsupported', 'model'],
    ['several workers', () => model.embed(['a', 'b'], { workers: 2 }), 'Unsupported', 'model'],
    ['an explanation', () => model.explain('a', 'b'), 'Unsupported', 'config.lateInteraction'],
  ])('refuses %s', async (_, run, code, path) => {
    await expect(run()).rejects.toMatchObject({ code, path });
  });

  test('has the same vectors from PyLate’s layout', async () => {
    await using other = await openEncoder(pylateDirectory());
    expect(other.lateInteraction).toEqual({
      ...model.lateInteraction,
      // [PAD], which ColBERT leaves out where a text spells it.
      skippedTokens: (model.lateInteraction?.skippedTokens ?? 0) - 1,
    });
    expect(await other.embedTokens(documents)).toEqual(await model.embedTokens(documents));
  });

  test('is converted to one file, in any type', async () => {
    const before = await model.embedTokens('the cat sat', { as: 'query' });
    for (const dtype of ['f32', 'f16', 'int8'] as const) {
      await using read = await openEncoder(await ambry.convert(colbertDirectory(), { dtype }));
      const now = await read.embedTokens('the cat sat', { as: 'query' });
      expect(maxSim(before, now) / queryLength).toBeGreaterThan(dtype === 'int8' ? 0.99 : 0.999);
    }
  });

  test('keeps queries short where the model says so', async () => {
    await using other = await openEncoder(pylateDirectory({ do_query_expansion: false }));
    expect(other.lateInteraction?.expansion).toBeNull();
    expect(await other.embedTokens('the mat', { as: 'query' })).toHaveLength(5 * lateDim);
  });
});

test('an encoder of whole texts has no vectors of tokens to rank with', async () => {
  await using model = await openEncoder(await smallModel());
  expect(model.lateInteraction).toBeUndefined();
  for (const run of [model.rank('a', ['b']), model.embedTokens('a')]) {
    await expect(run).rejects.toMatchObject({ code: 'Unsupported', path: 'model' });
  }
});

test.each([
  ['similarity', { similarity: 'l2' }, 'Unsupported', 'artifact.metadata.similarity'],
  ['marker', { doc_token_id: '[D]' }, 'NotFound', 'artifact.metadata.doc_token_id'],
  ['length', { query_maxlen: 2 }, 'BadValue', 'metadata.late_interaction'],
])('a directory with an unknown %s is refused by name', async (_, settings, code, path) => {
  await expect(ambry.open(colbertDirectory(settings))).rejects.toMatchObject({ code, path });
});

test('a directory without artifact.metadata is refused by name', async () => {
  const files = colbertDirectory();
  files.delete('artifact.metadata');
  const refusal = { code: 'NotFound', path: 'artifact.metadata' };
  await expect(ambry.open(files)).rejects.toMatchObject(refusal);
});
