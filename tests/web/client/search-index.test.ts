// The built package in Node: make, search, save and load an index.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Model } from '../../../web/src/index.ts';
import { ambry, smallModel } from '../support/package.ts';

const { open, createIndex, loadIndex, convert } = ambry;
const kDocs = [
  { id: 'a', text: 'the cat sat on the mat.', page: 1 },
  { id: 'b', text: 'dog ran home!' },
  { text: 'the mat, the mat, the mat' },
];
let model: Model;
let bytes: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  bytes = await smallModel();
  model = await open(bytes);
});
afterAll(() => model.dispose());

describe('an index', () => {
  test('finds a passage by its own words, with a score of one', async () => {
    await using index = await createIndex(model, kDocs);
    expect(index).toMatchObject({ size: 3, dim: 32 });
    for (const [i, doc] of kDocs.entries()) {
      const [best] = await index.search(doc.text, { k: 1 });
      expect(best).toMatchObject({ id: doc.id ?? i, text: doc.text, doc });
      expect(best?.score).toBeCloseTo(1, 5);
    }
  });

  test('gives scores from best to worst, and no more than there are', async () => {
    await using index = await createIndex(model, kDocs);
    const scores = (await index.search('cat', { k: 100 })).map((hit) => hit.score);
    expect(scores).toHaveLength(3);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test('grows, and an aborted addition adds nothing', async () => {
    await using index = await createIndex(model, []);
    expect(await index.search('cat')).toEqual([]);
    await index.add(kDocs);
    const many = Array.from({ length: 20_000 }, () => ({ text: 'the dog ran on the mat' }));
    const controller = new AbortController();
    const adding = index.add(many, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(adding).rejects.toMatchObject({ name: 'AbortError' });
    expect(index.size).toBe(3);
    expect((await index.search('dog ran home!'))[0]?.id).toBe('b');
  });

  test('comes back from its file, with the passages and the place of the model', async () => {
    await using index = await createIndex(model, kDocs);
    const saved = await index.save({ model: 'models/tiny.weights' });
    const seen: unknown[] = [];
    const opener = async (indexed: unknown) => {
      seen.push(indexed);
      return model;
    };
    await using loaded = await loadIndex(opener, saved);
    expect(seen[0]).toMatchObject({ reference: 'models/tiny.weights', format: 'embd', dim: 32 });
    expect(loaded.docs).toEqual(kDocs);
    expect(await loaded.search('cat')).toEqual(await index.search('cat'));
    expect(await (await loaded.save()).arrayBuffer()).toEqual(await saved.arrayBuffer());
  });

  test('takes the same model in another storage type, and no other model', async () => {
    await using index = await createIndex(model, kDocs);
    const saved = await index.save();
    await using int8 = await open(await convert(bytes, { dtype: 'int8' }));
    await using loaded = await loadIndex(int8, saved);
    expect(loaded.size).toBe(3);
    await using other = await open(await smallModel(2));
    await expect(loadIndex(other, saved)).rejects.toMatchObject({
      code: 'Mismatch',
      path: 'model',
    });
  });

  test('a broken file says where', async () => {
    await using index = await createIndex(model, kDocs);
    const file = new Uint8Array(await (await index.save()).arrayBuffer());
    await expect(loadIndex(model, file.slice(0, 100))).rejects.toBeInstanceOf(ambry.AmbryError);
    await expect(loadIndex(model, bytes)).rejects.toMatchObject({ code: 'BadMagic' });
    const middle = file.length >> 1;
    file[middle] = (file[middle] ?? 0) ^ 1;
    await expect(loadIndex(model, file)).rejects.toBeInstanceOf(ambry.AmbryError);
  });

  test('refuses passages without text', async () => {
    const docs = [{ text: 'cat' }, { body: 'dog' }] as unknown as { text: string }[];
    await expect(createIndex(model, docs)).rejects.toMatchObject({ path: 'docs[1].text' });
  });
});
