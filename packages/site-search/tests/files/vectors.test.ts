// The lists of vectors: their groups, how many rows have to be read, and what is close.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bestRows, nearestRows, nearness, SiteSample } from '../../src/build/sample-queries.ts';
import { makeLists } from '../../src/build/vector-index.ts';
import { IndexWriter } from '../../src/build/writing/index-writer.ts';
import { RowStore } from '../../src/build/writing/row-store.ts';
import { placesWith } from '../../src/client/meaning-search.ts';
import { ChunkPlaces, decodeChunk } from '../../src/shared/chunks.ts';
import { type CodeBits, CodedProduct, codeBytes } from '../../src/shared/codes.ts';
import { dot } from '../../src/shared/dot.ts';
import { filePath } from '../../src/shared/file-name.ts';
import { decodeCentroids, decodeList, nearestFirst } from '../../src/shared/lists.ts';
import { temporaryFolder } from '../support/site.ts';

const dim = 16;
const pause = async () => {};

/** Numbers from −1 to 1 that look random. */
function noise(seed: number): number {
  const value = Math.sin(seed * 12.9898) * 43758.5453;
  return 2 * (value - Math.floor(value)) - 1;
}

function unit(values: Float32Array): Float32Array {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

/** Rows around some centres: row `i` belongs to centre `i % centres`. */
function clustered(count: number, centres: number, spread: number, from = 0): Float32Array {
  const rows = new Float32Array(count * dim);
  for (let i = 0; i < count; i++) {
    const row = Float32Array.from(
      { length: dim },
      (_, j) => noise((i % centres) * 977 + j) + spread * noise((from + i) * 7919 + j * 31 + 5),
    );
    rows.set(unit(row), i * dim);
  }
  return rows;
}

test('products of rows are sums of products', () => {
  for (const length of [0, 1, 3, 4, 5, 96, 97]) {
    const [a, b] = [1, 2].map((seed) =>
      Float32Array.from({ length: length + 2 }, (_, i) => noise(seed + i)),
    );
    const expected = Array.from({ length }, (_, i) => (a?.[i + 1] ?? 0) * (b?.[i + 2] ?? 0));
    const sum = expected.reduce((total, value) => total + value, 0);
    expect(dot(a as Float32Array, 1, b as Float32Array, 2, length)).toBeCloseTo(sum, 5);
  }
});

test('the best rows are those with the highest products', () => {
  const rows = clustered(300, 300, 1);
  const query = unit(Float32Array.from({ length: dim }, (_, i) => noise(i + 99)));
  const products = Array.from({ length: 300 }, (_, i) => dot(rows, i * dim, query, 0, dim));
  const sorted = [...products.keys()].sort((a, b) => (products[b] ?? 0) - (products[a] ?? 0));
  expect(bestRows(rows, query, 10)).toEqual(sorted.slice(0, 10));
});

describe('what is close', () => {
  test('is above what other pages reach, and not above what own pages do', async () => {
    const rows = clustered(40, 4, 0.2);
    const vectors = clustered(4, 4, 0.2, 1000);
    const compared = Array.from({ length: 40 }, (_, i) => ({ item: i, page: i % 4 }));
    const queries = { vectors, pages: [0, 1, 2, 3], compared };
    const { closeFrom: limit } = nearness(
      rows,
      queries,
      await nearestRows(rows, queries, 1, pause),
    );
    for (let i = 0; i < 4; i++) {
      const query = vectors.subarray(i * dim, (i + 1) * dim);
      const [best = 0] = bestRows(rows, query, 1);
      expect(dot(rows, best * dim, query, 0, dim)).toBeGreaterThanOrEqual(limit - 0.001);
    }
    expect(limit).toBeGreaterThan(0.2);
  });

  test('is anything on a site of one page', () => {
    const rows = clustered(4, 4, 0.2);
    const compared = [0, 1, 2, 3].map((item) => ({ item, page: 0 }));
    const one = nearness(rows, { vectors: rows.slice(0, dim), pages: [0], compared }, [[0]]);
    expect(one).toMatchObject({ closeFrom: 0, meanCosine: 0 });
    expect(one.deviation).toBeGreaterThan(0);
  });
});

test('a sample has some headings and rows of each page', () => {
  const sample = new SiteSample();
  for (let page = 0; page < 3; page++) {
    sample.nextPage();
    for (let i = 0; i < 100; i++) {
      sample.addHeading(`heading ${i} of ${page}`);
      sample.addHeading('the same everywhere');
      sample.addRow(page * 100 + i);
    }
  }
  const counts = (items: readonly { page: number }[]) =>
    [0, 1, 2].map((page) => items.filter((item) => item.page === page).length);
  expect(counts(sample.headings())).toEqual([4, 4, 4]);
  expect(counts(sample.rows())).toEqual([4, 4, 4]);
  expect(sample.headings().filter(({ item }) => item === 'the same everywhere')).toHaveLength(1);
});

describe('the lists of a site', () => {
  const count = 6000;

  /** Lists of rows whose parts have every second number, as if the others were copies. */
  async function lists(queryBytes: number, bits?: CodeBits) {
    const out = temporaryFolder();
    const rows = clustered(count, 60, 0.6);
    const store = new RowStore(dim);
    for (let i = 0; i < count; i++) {
      store.add(i * 2, rows.subarray(i * dim, (i + 1) * dim));
    }
    const vectors = clustered(60, 60, 0.6, 100_000);
    const pages = Array.from({ length: 60 }, (_, i) => i);
    const settings = { dim, queryBytes, meaning: 'model' as const, ...(bits && { bits }) };
    const writer = new IndexWriter(out);
    const sample = { vectors, pages, compared: [] };
    const made = await makeLists(store, sample, settings, writer, pause);
    const places = new ChunkPlaces(writer.tables.vectors?.units ?? []);
    const read = (path: string) => new Uint8Array(readFileSync(join(out, path)));
    const { vectors: info, set } = made;
    const centroids = decodeCentroids(made.centroids, info.centroidForm, 'centroids');
    const list = (place: number) => {
      const { file, from, to } = places.in(place, set.packBytes);
      const stored = read(filePath.pack('vectors', set.name, file)).subarray(from, to);
      return decodeList(decodeChunk(set.name, place, stored, 'list'), info, count * 2, 'list');
    };
    return { info, set, rows, vectors, centroids, list };
  }

  test('have every row once, in the list that its centroid says', async () => {
    const { set, centroids, list } = await lists(1e9);
    expect(centroids).toHaveLength(set.chunks);
    const all = centroids.flatMap(({ size }, place) => {
      const { rows } = list(place);
      expect(rows).toHaveLength(size);
      return rows;
    });
    expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i * 2));
  });

  test('are read until enough of the nearest rows are found, and a tenth of all at most', async () => {
    const { info, rows, vectors, centroids, list } = await lists(1e9);
    let found = 0;
    for (let i = 0; i < 60; i++) {
      const query = vectors.subarray(i * dim, (i + 1) * dim);
      const order = nearestFirst(centroids, new CodedProduct(query, info.centroidForm.bits));
      const product = new CodedProduct(query, info.bits);
      const scored = placesWith(info.rowsRead, order, centroids).flatMap((place) => {
        const { rows: own, codes, factors } = list(place);
        return own.map((row, j) => {
          return { row, score: product.of(codes, j * codeBytes(dim, info.bits), factors[j] ?? 0) };
        });
      });
      const best = scored.sort((a, b) => b.score - a.score).slice(0, 20);
      const read = new Set(best.map(({ row }) => row));
      found += bestRows(rows, query, 10).filter((row) => read.has(row * 2)).length;
    }
    expect(found / 600).toBeCloseTo(info.recall, 3);
    expect(info.recall).toBeGreaterThanOrEqual(0.9);
    expect(info.rowsRead).toBeLessThanOrEqual(count / 10);
  });

  test('are read within the bytes that are stated', async () => {
    const { info } = await lists(220, 4);
    expect(info.rowsRead).toBe(20);
    expect(info.recall).toBeLessThan((await lists(1e9)).info.recall);
  });

  test('have the codes with which most is found', async () => {
    expect((await lists(1e9)).info.bits).toBe(4);
    expect((await lists(1)).info.bits).toBe(1);
  });
});

test('the nearest list is read even if it is long', () => {
  const centroids = [5, 3, 2, 1].map((size) => ({ size, factor: 0, codes: new Uint8Array() }));
  const order = [0, 1, 2, 3];
  expect(placesWith(1, order, centroids)).toEqual([0]);
  expect(placesWith(5, order, centroids)).toEqual([1, 2]);
  expect(placesWith(5, order, centroids)).toEqual([3]);
  expect(placesWith(5, order, centroids)).toEqual([]);
});
