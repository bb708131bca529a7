// The built package in Node: indexes of own vectors in memory.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VectorsEntry } from '../../../../web/src/entries/vectors-entry.ts';
import type { Progress, VectorIndex } from '../../../../web/src/index.ts';
import { cosineOf, groupedVectors, nearestOf } from '../../support/grouped-vectors.ts';
import { ambry } from '../../support/package.ts';

const { createVectorIndex } = ambry;
const { clusterVectors, projectVectors } = (await import(
  new URL('../../../../dist/node-vectors.js', import.meta.url).href
)) as VectorsEntry;
const dim = 24;
const count = 4000;
const vectors = groupedVectors(count, { dim, groups: 80, spread: 0.3 });
const rowOf = (i: number) => vectors.slice(i * dim, (i + 1) * dim);
const ids = Array.from({ length: count }, (_, i) => (i % 2 ? `vector ${i}` : i * 10));
const positions = (hits: readonly { id: string | number }[]) =>
  hits.map(({ id }) => ids.indexOf(id));

describe('a small index', () => {
  test('compares a query with all vectors', async () => {
    await using index = await createVectorIndex({ vectors, dim }, { vectors: 'f32' });
    expect(index).toMatchObject({ size: count, dim, vectors: 'f32' });
    expect(index.measured).toMatchObject({ lists: 0, probes: 0, recall: 1, share: 1 });
    for (const i of [0, 7, 3999]) {
      const hits = await index.search(rowOf(i), { k: 5 });
      expect(hits.map(({ id }) => id)).toEqual(nearestOf(vectors, rowOf(i), 5));
      for (const { id, score } of hits) {
        expect(score).toBeCloseTo(cosineOf(rowOf(Number(id)), rowOf(i)), 5);
      }
    }
  });

  test('may be empty', async () => {
    await using index = await createVectorIndex({ vectors: new Float32Array(), dim });
    expect(index.size).toBe(0);
    expect(await index.search(rowOf(0))).toEqual([]);
  });

  test('gives no more hits than it has vectors', async () => {
    await using index = await createVectorIndex({ vectors: rowOf(0), ids: ['one'] });
    expect(await index.search(rowOf(0), { k: 50 })).toMatchObject([{ id: 'one' }]);
  });
});

describe('an index with lists', () => {
  let index: VectorIndex;
  const progress: Progress[] = [];
  beforeAll(async () => {
    const onProgress = (each: Progress) => progress.push(each);
    index = await createVectorIndex({ vectors, ids }, { lists: 80, onProgress });
  });
  afterAll(() => index.dispose());

  test('says what a search finds and reads', () => {
    const { recall, share, probes, queries, lists, note } = index.measured;
    expect(recall).toBeGreaterThanOrEqual(0.95);
    expect(share).toBeLessThan(0.3);
    expect({ lists, queries }).toEqual({ lists: 80, queries: 125 });
    expect(note === undefined).toBe(share <= 0.1);
    expect(probes).toBeGreaterThanOrEqual(1);
    expect(new Set(progress.map(({ phase }) => phase))).toEqual(new Set(['load', 'train']));
    expect(progress.at(-1)).toMatchObject({ phase: 'train', loaded: 1000, total: 1000 });
  });

  test('finds nearly all of the nearest vectors, by their ids', async () => {
    let found = 0;
    for (let i = 3; i < count; i += 200) {
      const hits = positions(await index.search(rowOf(i)));
      found += nearestOf(vectors, rowOf(i), 10).filter((near) => hits.includes(near)).length;
    }
    expect(found).toBeGreaterThan(0.9 * 200);
  });

  test('measures its recall with queries of the caller', async () => {
    const queries = [rowOf(5), rowOf(500), groupedVectors(1, { dim, groups: 1 })];
    expect(await index.recall(queries, { probes: 80, candidates: count })).toBe(1);
    expect(await index.recall(queries, { probes: 1, candidates: 1 })).toBeLessThan(1);
    expect(await index.recall([])).toBe(1);
  });

  test('searches for several vectors at once', async () => {
    const queries = [rowOf(1), rowOf(2), rowOf(3)];
    const found = await index.search(queries, { k: 2 });
    for (const [i, query] of queries.entries()) {
      expect(found[i]).toEqual(await index.search(query, { k: 2 }));
    }
    expect(await index.search([])).toEqual([]);
  });

  test('finds only what the filter names, however far it is', async () => {
    const filter = [ids[9], ids[100], ids[3333]] as string[];
    const hits = await index.search(rowOf(5), { filter });
    const wanted = nearestOf(vectors, rowOf(5), 3, (i) => [9, 100, 3333].includes(i));
    expect(positions(hits)).toEqual(wanted);
    expect(await index.search(rowOf(5), { filter: new Set(filter), k: 1 })).toEqual([hits[0]]);
    expect(await index.search(rowOf(5), { filter: ['no such id'] })).toEqual([]);
  });

  test('is the same from blocks', async () => {
    async function* blocks() {
      for (let at = 0; at < vectors.length; at += 700 * dim) {
        yield vectors.slice(at, at + 700 * dim);
      }
    }
    await using other = await createVectorIndex({ vectors: blocks(), ids, dim }, { lists: 80 });
    expect(other.measured).toEqual(index.measured);
    expect(await other.search(rowOf(17))).toEqual(await index.search(rowOf(17)));
  });

  test('refuses settings and queries that cannot be', async () => {
    const path = (name: string) => ({ code: 'BadValue', path: name });
    await expect(index.search(rowOf(0), { k: 0 })).rejects.toMatchObject(path('options.k'));
    await expect(index.search(rowOf(0), { k: 1.5 })).rejects.toMatchObject(path('options.k'));
    await expect(index.search(rowOf(0), { probes: -1 })).rejects.toMatchObject(
      path('options.probes'),
    );
    await expect(index.search(new Float32Array(3))).rejects.toMatchObject({
      code: 'Mismatch',
      path: 'queries[0]',
    });
    await expect(index.search(new Float32Array(dim))).rejects.toMatchObject(path('query'));
    await expect(index.search(new Float32Array(dim).fill(Number.NaN))).rejects.toMatchObject(
      path('query'),
    );
  });
});

describe('what cannot be indexed', () => {
  const wrong = (at: number, value: number) => {
    const changed = vectors.slice();
    changed.fill(value, at * dim, at * dim + (value === 0 ? dim : 1));
    return changed;
  };
  const refused = (collection: unknown, options = {}) =>
    expect(createVectorIndex(collection as { vectors: Float32Array }, options)).rejects;

  test.each([
    ['NaN', wrong(7, Number.NaN), 'vectors[7]'],
    ['infinity', wrong(1234, Number.POSITIVE_INFINITY), 'vectors[1234]'],
    ['length 0', wrong(3999, 0), 'vectors[3999]'],
    ['an incomplete vector', vectors.subarray(0, 5 * dim + 3), 'vectors[5]'],
  ])('a vector with %s is named', async (_, given, path) => {
    await refused({ vectors: given, dim }).toMatchObject({ code: 'BadValue', path });
  });

  test('a vector in a later block is named by its position', async () => {
    const blocks = [vectors.subarray(0, 10 * dim), wrong(2, Number.NaN).subarray(0, 5 * dim)];
    await refused({ vectors: blocks, dim }).toMatchObject({ path: 'vectors[12]' });
    const odd = [vectors.subarray(0, 10 * dim), vectors.subarray(0, 5)];
    await refused({ vectors: odd, dim }).toMatchObject({ path: 'vectors[10]' });
    await refused({ vectors: [[1, 2]], dim }).toMatchObject({ path: 'vectors' });
  });

  test('ids and lengths must fit', async () => {
    await refused({ vectors }).toMatchObject({ code: 'BadValue', path: 'dim' });
    await refused({ vectors, dim: 0 }).toMatchObject({ path: 'dim' });
    await refused({ vectors, ids: ids.slice(1) }).toMatchObject({ path: 'dim' });
    await refused({ vectors, dim, ids: ids.slice(1) }).toMatchObject({
      code: 'Mismatch',
      path: 'ids',
    });
    await refused({ vectors, ids: ids.with(5, Number.NaN) }).toMatchObject({ path: 'ids[5]' });
  });

  test('settings must make sense', async () => {
    await refused({ vectors, dim }, { recall: 2 }).toMatchObject({ path: 'recall' });
    await refused({ vectors, dim }, { lists: 3000 }).toMatchObject({ path: 'lists' });
  });
});

test('an index that reads much says so', async () => {
  // Numbers without any groups: the neighbours of a query are in all lists.
  const noise = groupedVectors(3000, { dim: 64, groups: 1, spread: 50 });
  await using index = await createVectorIndex({ vectors: noise, dim: 64 }, { lists: 50 });
  expect(index.measured.share).toBeGreaterThan(0.1);
  expect(index.measured.note).toContain('% of the vectors');
});

test('an abort ends the making of an index', async () => {
  const controller = new AbortController();
  const making = createVectorIndex(
    { vectors, dim },
    {
      lists: 500,
      signal: controller.signal,
      onProgress: ({ phase }) => phase === 'train' && controller.abort(),
    },
  );
  await expect(making).rejects.toMatchObject({ name: 'AbortError' });
  const early = createVectorIndex({ vectors, dim }, { signal: AbortSignal.abort() });
  await expect(early).rejects.toMatchObject({ name: 'AbortError' });
});

describe('groups of vectors', () => {
  test('are those that the vectors lie in', async () => {
    const near = groupedVectors(900, { dim, groups: 9, spread: 0.02 });
    const { centroids, members } = await clusterVectors(near, { dim, count: 9 });
    expect(centroids).toHaveLength(9 * dim);
    expect(members).toHaveLength(900);
    expect(new Set(members).size).toBe(9);
    for (const [i, member] of members.entries()) {
      expect(member).toBe(members[i % 9]);
    }
  });

  test('are refused where they cannot be made', async () => {
    const refused = (given: Float32Array, options: { dim: number; count: number }) =>
      expect(clusterVectors(given, options)).rejects;
    await refused(vectors, { dim, count: 0 }).toMatchObject({ path: 'count' });
    await refused(rowOf(0), { dim, count: 2 }).toMatchObject({ path: 'count' });
    await refused(vectors.subarray(1), { dim, count: 2 }).toMatchObject({ code: 'BadValue' });
    await refused(rowOf(0).with(1, Number.NaN), { dim, count: 1 }).toMatchObject({
      path: 'vectors[0]',
    });
  });
});

describe('a map', () => {
  const near = groupedVectors(900, { dim, groups: 9, spread: 0.1 });
  const pointOf = (positions: Float32Array, i: number) => [...positions.subarray(2 * i, 2 * i + 2)];
  const distance = ([x = 0, y = 0]: number[], [u = 0, v = 0]: number[]) => Math.hypot(x - u, y - v);

  test('puts vectors of a group together, and is the same for equal vectors', async () => {
    const seen: number[] = [];
    const { positions } = await projectVectors(near, {
      dim,
      onProgress: ({ loaded }) => seen.push(loaded),
    });
    expect(positions).toHaveLength(1800);
    const points = Array.from({ length: 900 }, (_, i) => pointOf(positions, i));
    let [own, other] = [0, 0];
    for (const [i, point] of points.slice(0, 891).entries()) {
      own += distance(point, points[i + 9] ?? []); // the group of vector i is i % 9
      other += distance(point, points[i + 1] ?? []);
    }
    expect(other).toBeGreaterThan(3 * own);
    expect(seen.at(-1)).toBe(1000);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect((await projectVectors(near, { dim })).positions).toEqual(positions);
  });

  test('places further vectors among the nearest', async () => {
    const { positions, place } = await projectVectors(near, { dim });
    const [first, last] = [near.slice(0, dim), near.slice(-dim)];
    const placed = place(new Float32Array([...first.map((x) => 3 * x), ...last]));
    expect(placed).toHaveLength(4);
    expect(distance(pointOf(placed, 0), pointOf(positions, 0))).toBeLessThan(0.3);
    expect(distance(pointOf(placed, 1), pointOf(positions, 899))).toBeLessThan(0.3);
    expect(() => place(near.subarray(0, dim - 1))).toThrow(/left over/);
  });

  test('of one vector or equal vectors is finite', async () => {
    expect((await projectVectors(rowOf(0), { dim })).positions).toEqual(new Float32Array(2));
    const { positions, place } = await projectVectors(new Float32Array(60).fill(1), { dim: 3 });
    expect(positions.every(Number.isFinite)).toBe(true);
    expect(place(new Float32Array(3)).every(Number.isFinite)).toBe(true);
  });

  test('can be cancelled', async () => {
    const controller = new AbortController();
    const making = projectVectors(near, {
      dim,
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(making).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('is refused where it cannot be made', async () => {
    const refused = (given: Float32Array, wrong = dim) =>
      expect(projectVectors(given, { dim: wrong })).rejects;
    await refused(vectors, 0).toMatchObject({ path: 'dim' });
    await refused(new Float32Array()).toMatchObject({ path: 'vectors' });
    await refused(vectors.subarray(1)).toMatchObject({ code: 'BadValue' });
    await refused(rowOf(0).with(1, Number.NaN)).toMatchObject({ path: 'vectors[0]' });
    await refused(new Float32Array(100_001), 1).toMatchObject({ code: 'LimitExceeded' });
  });
});
