// The built package in Node: make, search, save and load an index.
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Encoder } from '../../../web/src/index.ts';
import { headerOf, withHeader } from '../support/files/index-files.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const { createIndex, openIndex, convert } = ambry;
const testDocs = [
  { id: 'a', text: 'the cat sat on the mat.', page: 1 },
  { id: 'b', text: 'dog ran home!' },
  { text: 'the mat, the mat, the mat' },
];
const asFirstVersion = (file: Uint8Array): Uint8Array =>
  withHeader(file, new TextEncoder().encode(JSON.stringify(headerOf(file))), 48);

let model: Encoder;
let bytes: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  bytes = await smallModel();
  model = await openEncoder(bytes);
});
afterAll(() => model.dispose());

describe('an index', () => {
  test('gives the vectors of its passages', async () => {
    const texts = testDocs.map(({ text }) => text);
    const expected = await model.embed(texts, { as: 'matrix', normalize: true });
    for (const vectors of ['int8', 'f32'] as const) {
      await using index = await createIndex(model, testDocs, { vectors });
      const found = await index.passageVectors();
      expect(found).toHaveLength(expected.length);
      // Bytes are off by half a step, 1/254 of the largest number.
      const off = Math.max(...found.map((x, i) => Math.abs(x - (expected[i] ?? Number.NaN))));
      expect(off).toBeLessThan(vectors === 'f32' ? 1e-6 : 1 / 254);
      await index.remove(() => true);
      expect(await index.passageVectors()).toHaveLength(0);
      expect((await index.save()).size).toBeGreaterThan(0);
    }
  });

  test('finds a passage by its own text, with a score of 1', async () => {
    await using index = await createIndex(model, testDocs);
    expect(index).toMatchObject({ size: 3, dim: 32, vectors: 'int8' });
    for (const [i, doc] of testDocs.entries()) {
      const [best] = await index.search(doc.text, { k: 1 });
      expect(best).toMatchObject({ id: doc.id ?? i, text: doc.text, doc });
      // Bytes are off by half a step, 1/254 of the largest number.
      expect(best?.score).toBeCloseTo(1, 2);
      expect(best?.cosine).toBe(best?.score);
      expect(best?.terms).toBeUndefined();
    }
  });

  test('stores floats with vectors: f32', async () => {
    await using floats = await createIndex(model, testDocs, { vectors: 'f32' });
    await using bytes = await createIndex(model, testDocs);
    const [best] = await floats.search(testDocs[0]?.text ?? '', { k: 1 });
    expect(best?.score).toBeCloseTo(1, 5);
    const saved = await floats.save();
    expect(saved.size - (await bytes.save()).size).toBe(3 * (32 * 4 - (32 + 4)));
    await using loaded = await openIndex(saved, { model });
    expect(loaded.vectors).toBe('f32');
    expect(await loaded.search('dog')).toEqual(await floats.search('dog'));
    await loaded.add([{ id: 'new', text: 'cat' }]);
    expect((await loaded.search('cat', { k: 1 }))[0]?.score).toBeCloseTo(1, 5);
  });

  test('sorts scores from best to worst, and returns at most all passages', async () => {
    await using index = await createIndex(model, testDocs);
    const scores = (await index.search('cat', { k: 100 })).map((hit) => hit.score);
    expect(scores).toHaveLength(3);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test('can grow, and an aborted call adds no passages', async () => {
    await using index = await createIndex(model, []);
    expect(await index.search('cat')).toEqual([]);
    await index.add(testDocs);
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

  test('is loaded from its file, with the passages and the reference to the model', async () => {
    await using index = await createIndex(model, testDocs);
    const saved = await index.save({ model: 'models/tiny.weights' });
    const seen: unknown[] = [];
    const opener = async (indexed: unknown) => {
      seen.push(indexed);
      return model;
    };
    await using loaded = await openIndex(saved, { model: opener });
    expect(seen[0]).toMatchObject({ reference: 'models/tiny.weights', format: 'embd', dim: 32 });
    expect(loaded.computesAlike).toBe(true);
    expect(loaded.docs).toEqual(testDocs);
    expect(await loaded.search('cat')).toEqual(await index.search('cat'));
    expect(await (await loaded.save()).arrayBuffer()).toEqual(await saved.arrayBuffer());
  });

  test('accepts the same model in another storage type, and no other model', async () => {
    await using index = await createIndex(model, testDocs);
    const saved = await index.save();
    await using int8 = await openEncoder(await convert(bytes, { dtype: 'int8' }));
    await using loaded = await openIndex(saved, { model: int8 });
    expect(loaded.size).toBe(3);
    expect(index.computesAlike).toBe(true);
    expect(loaded.computesAlike).toBe(false);
    await using other = await openEncoder(await smallModel(2));
    await expect(openIndex(saved, { model: other })).rejects.toMatchObject({
      code: 'Mismatch',
      path: 'model',
    });
  });

  test('rejects a damaged file with its byte', async () => {
    await using index = await createIndex(model, testDocs);
    const file = new Uint8Array(await (await index.save()).arrayBuffer());
    await expect(openIndex(file.slice(0, 100), { model })).rejects.toBeInstanceOf(ambry.AmbryError);
    await expect(openIndex(bytes, { model })).rejects.toMatchObject({ code: 'BadMagic' });
    const middle = file.length >> 1;
    file[middle] = (file[middle] ?? 0) ^ 1;
    await expect(openIndex(file, { model })).rejects.toBeInstanceOf(ambry.AmbryError);
  });

  test('keeps the stated languages, and rejects what is no language', async () => {
    const docs = [{ id: 'haus', text: 'Die alten Häuser am Ufer.' }, { text: 'Ein Boot.' }];
    await using index = await createIndex(model, docs, { language: ['de-AT', 'nb'] });
    expect(index.languages).toEqual(['de', 'no']);
    const saved = new Uint8Array(await (await index.save()).arrayBuffer());
    await using loaded = await openIndex(saved, { model });
    expect(loaded.languages).toEqual(['de', 'no']);
    const [best] = await loaded.search('Haus', { hybrid: true });
    expect(best).toMatchObject({ id: 'haus', terms: ['Haus'] });

    const path = 'options.language';
    for (const language of ['german language', '', []]) {
      const refusal = { code: 'BadValue', path };
      await expect(createIndex(model, docs, { language })).rejects.toMatchObject(refusal);
    }
    for (const languages of ['de', [1], [], ['no tag']]) {
      const text = JSON.stringify({ ...headerOf(saved), languages });
      const damaged = withHeader(saved, deflateSync(text));
      const refusal = { code: 'BadValue', byteOffset: 64 };
      await expect(openIndex(damaged, { model })).rejects.toMatchObject(refusal);
    }
  });

  test('keeps the languages that were detected until the passages change', async () => {
    const docs = [
      { id: 'haus', text: 'Die alten Häuser sind am Ufer, und der Wind ist nicht kalt.' },
    ];
    await using index = await createIndex(model, docs);
    const saved = new Uint8Array(await (await index.save()).arrayBuffer());
    expect(index.languages).toBeUndefined();
    expect(headerOf(saved)).toMatchObject({ detectedLanguages: ['de'] });
    expect(headerOf(saved)).not.toHaveProperty('languages');

    // What the file says is taken: with English, "Haus" is not found.
    const changed = JSON.stringify({ ...headerOf(saved), detectedLanguages: ['en'] });
    await using english = await openIndex(withHeader(saved, deflateSync(changed)), { model });
    expect(english.languages).toBeUndefined();
    expect((await english.search('Haus?', { hybrid: true }))[0]?.terms).toEqual([]);
    await english.add([{ text: 'Das Boot ist nicht auf dem See.' }]);
    expect((await english.search('Haus?', { hybrid: true }))[0]?.terms).toEqual(['Haus']);

    // Files of older versions do not say it.
    const { detectedLanguages: _, ...older } = headerOf(saved) as { detectedLanguages: unknown };
    await using old = await openIndex(withHeader(saved, deflateSync(JSON.stringify(older))), {
      model,
    });
    expect((await old.search('Haus', { hybrid: true }))[0]?.terms).toEqual(['Haus']);

    for (const detectedLanguages of ['de', [1], [], ['no tag']]) {
      const text = JSON.stringify({ ...headerOf(saved), detectedLanguages });
      const refusal = { code: 'BadValue', byteOffset: 64 };
      const damaged = withHeader(saved, deflateSync(text));
      await expect(openIndex(damaged, { model })).rejects.toMatchObject(refusal);
    }
    await using empty = await createIndex(model, []);
    const bytes = new Uint8Array(await (await empty.save()).arrayBuffer());
    expect(headerOf(bytes)).not.toHaveProperty('detectedLanguages');
  });

  test('rejects an invalid header', async () => {
    await using index = await createIndex(model, testDocs);
    const file = new Uint8Array(await (await index.save()).arrayBuffer());
    const place = { path: 'header', byteOffset: 64 };
    const noise = withHeader(file, new TextEncoder().encode('no deflated text'));
    await expect(openIndex(noise, { model })).rejects.toMatchObject({ code: 'BadValue', ...place });
    const noJson = withHeader(file, deflateSync('{"version":1'));
    await expect(openIndex(noJson, { model })).rejects.toMatchObject({
      code: 'BadValue',
      ...place,
    });
    const notUtf8 = withHeader(file, deflateSync(Uint8Array.of(0x22, 0xff, 0x22)));
    await expect(openIndex(notUtf8, { model })).rejects.toMatchObject({
      code: 'BadValue',
      ...place,
    });
    const fewer = withHeader(file, deflateSync(JSON.stringify({ ...headerOf(file), docs: [] })));
    await expect(openIndex(fewer, { model })).rejects.toMatchObject({ code: 'Mismatch', ...place });
  });

  test('rejects a header that grows by more than its bound', async () => {
    await using index = await createIndex(model, testDocs);
    const file = new Uint8Array(await (await index.save()).arrayBuffer());
    const padded = { ...headerOf(file), pad: 'a'.repeat(40 << 20) };
    const bomb = deflateSync(JSON.stringify(padded), { level: 9 });
    expect(bomb.length).toBeLessThan(50_000);
    await expect(openIndex(withHeader(file, bomb), { model })).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'header',
      byteOffset: 64,
    });
    const allowed = { ...headerOf(file), pad: 'a'.repeat(15 << 20) };
    const sound = deflateSync(JSON.stringify(allowed), { level: 9 });
    await using loaded = await openIndex(withHeader(file, sound), { model });
    expect(loaded.docs).toEqual(testDocs);
  });

  test('reads a file of version 1', async () => {
    await using index = await createIndex(model, testDocs, { vectors: 'f32' });
    const file = new Uint8Array(await (await index.save()).arrayBuffer());
    await using loaded = await openIndex(asFirstVersion(file), { model });
    expect(loaded.docs).toEqual(testDocs);
    expect(await loaded.search('cat')).toEqual(await index.search('cat'));
    expect(new Uint8Array(await (await loaded.save()).arrayBuffer())).toEqual(file);
  });

  test('rejects passages without text', async () => {
    const docs = [{ text: 'cat' }, { body: 'dog' }] as unknown as { text: string }[];
    await expect(createIndex(model, docs)).rejects.toMatchObject({ path: 'docs[1].text' });
  });
});
