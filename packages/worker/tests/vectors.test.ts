// Vectors as pgvector's texts, and in Parquet files.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ParquetSink } from '../src/parquet-sink.ts';
import { hasValues, mostWords, sparseVectorIn, vectorText } from '../src/vectors.ts';

const sparse = { ids: Uint32Array.of(7, 0, 3), weights: Float32Array.of(2, 1.5, 0.25) };

describe('the text of a vector', () => {
  test('has numbers, or places from 1 on in order', () => {
    expect(vectorText(Float32Array.of(0.5, -1), 2)).toBe('[0.5,-1]');
    expect(vectorText(sparse, 9)).toBe('{1:1.5,4:0.25,8:2}/9');
    expect(vectorText({ ids: new Uint32Array(), weights: new Float32Array() }, 9)).toBe('{}/9');
  });

  test('is read back', () => {
    const read = sparseVectorIn('{1:1.5,4:0.25,8:2e-07}/9');
    expect([...read.ids]).toEqual([0, 3, 7]);
    expect([...read.weights]).toEqual([1.5, 0.25, Math.fround(2e-7)]);
    expect(sparseVectorIn('{}/9').ids).toHaveLength(0);
  });

  test('keeps the largest weights that an index can hold', () => {
    const count = mostWords + 500;
    const ids = Uint32Array.from({ length: count }, (_, i) => count - 1 - i);
    const weights = Float32Array.from({ length: count }, (_, i) => (i % 2 ? 1 : -1) * (count - i));
    const kept = sparseVectorIn(vectorText({ ids, weights }, 30522));
    expect(kept.ids).toHaveLength(mostWords);
    expect(Math.min(...kept.weights.map(Math.abs))).toBe(501);
    expect([...kept.ids]).toEqual([...kept.ids].toSorted((a, b) => a - b));
  });

  test('without values is known', () => {
    expect(hasValues(sparse)).toBe(true);
    expect(hasValues({ ids: new Uint32Array(), weights: new Float32Array() })).toBe(false);
    expect(hasValues({ ids: Uint32Array.of(1), weights: Float32Array.of(Number.NaN) })).toBe(false);
    expect(hasValues(new Float32Array(3))).toBe(false);
    expect(hasValues(Float32Array.of(0, 1))).toBe(true);
  });
});

describe('a Parquet file', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ambry-parquet-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('has the ids and the weights of sparse vectors as lists', async () => {
    const sink = new ParquetSink(folder);
    await sink.prepare({ sha256: 'a', dim: 9, sparse: true });
    const none = { ids: new Uint32Array(), weights: new Float32Array() };
    await sink.write('one', [{ key: 'a', text: 'A', vector: sparse }]);
    await sink.write('one', [{ key: 'b', text: 'B', vector: none }]);
    expect(await sink.missing('one', [{ key: 'a', text: 'A' }])).toEqual([]);
    const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.parquet'));
    const file = await asyncBufferFromFile(join(folder, name));
    expect(await parquetReadObjects({ file })).toEqual([
      { key: 'a', text: 'A', ids: [7, 0, 3], weights: [2, 1.5, 0.25] },
      { key: 'b', text: 'B', ids: [], weights: [] },
    ]);
    const { children } = parquetSchema(await parquetMetadataAsync(file));
    const types = children.map(({ element, children: [list] }) => [
      element.name,
      element.type ?? list?.children[0]?.element.type,
    ]);
    expect(types).toEqual([
      ['key', 'BYTE_ARRAY'],
      ['text', 'BYTE_ARRAY'],
      ['ids', 'INT32'],
      ['weights', 'FLOAT'],
    ]);
  });
});
