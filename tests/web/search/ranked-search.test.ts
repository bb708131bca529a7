// The built package in Node: searches by words and meaning, over some of the passages, and after changes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Doc, Encoder, SearchIndex } from '../../../web/src/index.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const { createIndex } = ambry;

// The small model knows these words.
const testWords = ['the', 'cat', 'sat', 'on', 'mat', 'dog', 'ran', 'home'];
const testDocs: readonly Doc[] = Array.from({ length: 60 }, (_, i) => ({
  id: i,
  text: Array.from(
    { length: 3 + (i % 5) },
    (_, j) => testWords[(i * 7 + j * (1 + (i % 3))) % 8],
  ).join(' '),
  source: i % 3 === 0 ? 'a.md' : 'b.md',
}));
const inA = ({ source }: Doc) => source === 'a.md';

let model: Encoder;
let index: SearchIndex;
beforeAll(async () => {
  model = await openEncoder(await smallModel());
  index = await createIndex(model, testDocs);
});
afterAll(async () => {
  await index.dispose();
  await model.dispose();
});

describe('a filter', () => {
  test('does not change the ranking of the others', async () => {
    const all = await index.search('cat ran home', { k: 60 });
    const some = await index.search('cat ran home', { k: 60, filter: inA });
    expect(some).toEqual(all.filter(({ doc }) => inA(doc)));
    expect(some).toHaveLength(20);
    const best = await index.search('cat ran home', { k: 3, filter: inA });
    expect(best).toEqual(some.slice(0, 3));
  });

  test('without a match finds no passages, and one that throws rejects', async () => {
    expect(await index.search('cat', { filter: () => false })).toEqual([]);
    const fault = new Error('no such field');
    const throwing = () => {
      throw fault;
    };
    await expect(index.search('cat', { filter: throwing })).rejects.toBe(fault);
    expect(await index.search('cat')).toHaveLength(10);
  });
});

describe('a hybrid search', () => {
  test('finds only passages with the phrases in quotation marks, if there are some', async () => {
    const hits = await index.search('home "ran cat"', { k: 60, hybrid: 0.5 });
    expect(hits.map(({ text }) => text).filter((text) => !text.includes('ran cat'))).toEqual([]);
    const having = testDocs.filter(({ text }) => text.includes('ran cat'));
    expect(hits).toHaveLength(having.length);
    expect(hits.length).toBeGreaterThan(0);
    expect(await index.search('"zebra ran"', { k: 60, hybrid: 0.5 })).toHaveLength(60);
    expect(await index.search('home "ran cat"', { k: 60 })).toHaveLength(60);
    const filtered = await index.search('"ran cat"', { k: 60, hybrid: 0.5, filter: inA });
    expect(filtered).toHaveLength(having.filter(inA).length);
  });

  test('ranks all passages by words and meaning', async () => {
    const hits = await index.search('dog home', { k: 60, hybrid: 0.5 });
    expect(hits).toHaveLength(60);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const best = Math.max(...hits.map(({ score, cosine }) => score - cosine / 2));
    // BM25 counts from 0 to 1, and half.
    expect(best).toBeCloseTo(0.5, 5);
    for (const { doc, terms } of hits) {
      const words = new Set(doc.text.split(' '));
      expect([...(terms ?? [])].sort()).toEqual(['dog', 'home'].filter((word) => words.has(word)));
    }
    expect(await index.search('dog home', { k: 60, hybrid: true })).toEqual(hits);
    expect(await index.search('dog home', { k: 7, hybrid: true })).toEqual(hits.slice(0, 7));
  });

  test('gives no weight to function words beside others', async () => {
    const docs = testDocs.map((doc) => ({ ...doc, text: `the ${doc.text}` }));
    await using own = await createIndex(model, docs);
    const hits = await own.search('the zebra sneezed', { k: 60, hybrid: 0.5 });
    for (const { score, cosine, terms } of hits) {
      expect(terms).toEqual([]);
      expect(score).toBeCloseTo(cosine / 2, 6);
    }
  });

  test('finds passages that meaning alone does not', async () => {
    await using own = await createIndex(model, [
      ...testDocs,
      { id: 'code', text: 'error 0x80070057' },
    ]);
    const [best] = await own.search('0x80070057', { k: 1, hybrid: true });
    expect(best).toMatchObject({ id: 'code', terms: ['0x80070057'] });
  });

  test('finds other forms of a word, and reports the form of the query', async () => {
    const docs = [{ text: 'stop the images' }, { text: 'cat' }, { text: 'Größe' }];
    await using own = await createIndex(model, docs);
    const [best] = await own.search('Stopped IMAGE', { k: 1, hybrid: true });
    expect(best).toMatchObject({ text: 'stop the images', terms: ['Stopped', 'IMAGE'] });
    const [other] = await own.search('GRÖSSE größe', { k: 1, hybrid: true });
    expect(other).toMatchObject({ text: 'Größe', terms: ['GRÖSSE'] });
  });

  test('with weight 0 searches by meaning, and with weight 1 by words', async () => {
    const plain = await index.search('mat', { k: 60 });
    expect(await index.search('mat', { k: 60, hybrid: 0 })).toEqual(plain);
    const byWords = await index.search('mat', { k: 60, hybrid: 1 });
    const with_ = byWords.filter(({ terms }) => terms?.length);
    expect(byWords.slice(0, with_.length)).toEqual(with_);
    expect(byWords).toHaveLength(60);
  });

  test('can be combined with a filter', async () => {
    const all = await index.search('cat mat', { k: 60, hybrid: true });
    const some = await index.search('cat mat', { k: 60, hybrid: true, filter: inA });
    expect(some).toEqual(all.filter(({ doc }) => inA(doc)));
  });

  test('includes added passages, and not removed ones', async () => {
    await using own = await createIndex(model, testDocs);
    expect((await own.search('zebra', { hybrid: true, k: 1 }))[0]?.terms).toEqual([]);
    await own.add([{ id: 'new', text: 'a zebra' }]);
    expect((await own.search('zebra', { hybrid: true, k: 1 }))[0]).toMatchObject({
      id: 'new',
      terms: ['zebra'],
    });
    await own.remove(inA);
    await using fresh = await createIndex(model, [
      ...testDocs.filter((doc) => !inA(doc)),
      { id: 'new', text: 'a zebra' },
    ]);
    const options = { hybrid: true, k: 60 } as const;
    expect(await own.search('zebra cat', options)).toEqual(
      await fresh.search('zebra cat', options),
    );
  });

  test('rejects an invalid weight, and rejects after an abort', async () => {
    for (const hybrid of [-0.1, 1.1, Number.NaN]) {
      const searched = index.search('cat', { hybrid, filter: inA });
      await expect(searched).rejects.toMatchObject({ code: 'BadValue', path: 'options.hybrid' });
    }
    const signal = AbortSignal.abort();
    await expect(index.search('cat', { hybrid: true, signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

describe('removing passages', () => {
  test('gives the same index as if only the others had been added', async () => {
    await using own = await createIndex(model, testDocs);
    expect(await own.remove(inA)).toBe(20);
    expect(own.size).toBe(40);
    expect(own.docs).toEqual(testDocs.filter((doc) => !inA(doc)));
    await using fresh = await createIndex(model, own.docs);
    expect(await own.search('dog', { k: 60 })).toEqual(await fresh.search('dog', { k: 60 }));
    expect(await (await own.save()).arrayBuffer()).toEqual(
      await (await fresh.save()).arrayBuffer(),
    );
  });

  test('without a match changes nothing, and all can be removed', async () => {
    await using own = await createIndex(model, testDocs);
    expect(await own.remove(() => false)).toBe(0);
    expect(await own.remove(() => true)).toBe(60);
    expect(await own.search('cat')).toEqual([]);
    expect(await own.search('cat', { hybrid: true })).toEqual([]);
    await own.add([{ text: 'cat' }]);
    expect(await own.search('cat')).toHaveLength(1);
  });

  test('while others are added and searched keeps rows and passages together', async () => {
    await using own = await createIndex(model, testDocs);
    const more = testDocs.map((doc, i) => ({ ...doc, id: `more ${i}` }));
    const searches = [];
    const changes = [own.remove(inA), own.add(more), own.remove(({ id }) => id === 1)];
    for (let i = 0; i < 20; i++) {
      searches.push(own.search('dog ran home', { k: 5, ...(i % 2 && { filter: () => true }) }));
    }
    for (const hits of await Promise.all(searches)) {
      for (const { doc, cosine } of hits) {
        const [same] = await own.search('dog ran home', { k: 200, filter: (d) => d === doc });
        if (same) {
          expect(cosine).toBe(same.cosine);
        }
      }
    }
    await Promise.all(changes);
    expect(own.size).toBe(testDocs.filter((doc) => !inA(doc)).length - 1 + more.length);
  });
});
