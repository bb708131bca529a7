// Texts are packed with what they have in common, and any browser unpacks them.
import { describe, expect, test } from 'vitest';
import { IndexWriter } from '../../src/build/writing/index-writer.ts';
import { dictionaryOf } from '../../src/build/writing/text-dictionary.ts';
import { TextStore } from '../../src/build/writing/text-store.ts';
import { unpackedText } from '../../src/client/files/read-body.ts';
import { checksum, streamStart } from '../../src/shared/packed-text.ts';
import type { PartText } from '../../src/shared/part-text.ts';
import { temporaryFolder } from '../support/site.ts';
import { storedChunks } from '../support/stored-chunks.ts';

const partOf = (i: number): PartText => ({
  url: `guide/lighthouse-${i}.html`,
  title: `Lighthouse ${i}`,
  language: 'en',
  sections: [
    {
      anchor: 'keeper',
      heading: 'The keeper',
      text: `Keeper ${i} lights the lamp at dusk. Größe ${i}.`,
    },
  ],
  passages: [[0, 0, 30]],
  filters: {},
});

async function stored(count: number) {
  const folder = temporaryFolder();
  const store = new TextStore();
  for (let i = 0; i < count; i++) {
    store.add(partOf(i));
  }
  const { set, dictionary } = await store.write(new IndexWriter(folder), 1e9);
  const chunks = storedChunks(folder, 'texts', set);
  const before = { start: streamStart(dictionary), length: dictionary.length };
  const read = async (bytes: Uint8Array<ArrayBuffer>) =>
    JSON.parse(new TextDecoder().decode(await unpackedText(bytes, before, 'f')));
  return { chunks, dictionary, read };
}

describe('texts', () => {
  // More than 4,096 are packed while they are added.
  test.each([3, 64, 5000])('of %d parts are read as they were', async (count) => {
    const { chunks, read } = await stored(count);
    for (const i of [0, 1, count >> 1, count - 1]) {
      expect(await read(chunks[i] as Uint8Array<ArrayBuffer>)).toEqual(partOf(i));
    }
  });

  test('have a dictionary where they are many, and are then shorter', async () => {
    const [few, many] = [await stored(63), await stored(64)];
    expect(few.dictionary).toHaveLength(0);
    expect(many.dictionary.length).toBeGreaterThan(100);
    expect(many.dictionary.length).toBeLessThanOrEqual(4096);
    const [alone, shared] = [few, many].map(({ chunks }) => (chunks[7] as Uint8Array).length);
    expect(shared as number).toBeLessThan(0.6 * (alone as number));
  });

  test('that are cut or changed are refused', async () => {
    const { chunks, read } = await stored(80);
    const chunk = chunks[5] as Uint8Array<ArrayBuffer>;
    for (let length = 0; length < chunk.length; length++) {
      await expect(read(chunk.slice(0, length))).rejects.toThrow();
    }
    const changed = chunk.slice();
    changed[changed.length - 1] = (changed.at(-1) as number) ^ 1;
    await expect(read(changed)).rejects.toThrow();
  });
});

describe('a dictionary', () => {
  test('is the same for the same texts, and has what most of them have', () => {
    const texts = Array.from({ length: 200 }, (_, i) =>
      new TextEncoder().encode(
        `${i * 7919} of all pages: lighthouse keepers of the northern coast`,
      ),
    );
    const made = dictionaryOf(texts);
    expect(dictionaryOf(texts)).toEqual(made);
    expect(new TextDecoder().decode(made)).toContain('lighthouse keepers');
  });

  test('of texts that are empty or have nothing in common is empty', () => {
    const empty = Array.from({ length: 100 }, () => new Uint8Array());
    expect(dictionaryOf(empty)).toHaveLength(0);
    const others = Array.from({ length: 100 }, (_, i) => new Uint8Array(20).fill(i));
    expect(dictionaryOf(others)).toHaveLength(0);
  });

  test('that is longer than a block of a stream stands in several', async () => {
    const dictionary = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) & 0xff);
    const text = new TextEncoder().encode('text');
    const start = streamStart(dictionary);
    const sum = checksum(text, checksum(dictionary));
    const block = [1, 4, 0, 0xfb, 0xff, ...text, sum >>> 24, sum >>> 16, sum >>> 8, sum];
    const read = await unpackedText(Uint8Array.from(block), { start, length: 70_000 }, 'f');
    expect(read).toEqual(text);
  });
});
