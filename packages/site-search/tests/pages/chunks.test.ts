// Chunks of an index: where they lie in files, and what tells one from another.
import { describe, expect, test } from 'vitest';
import { filesOfSet } from '../../src/build/writing/chunk-files.ts';
import { ChunkPlaces, chunkUnit, decodeChunk, encodeChunk } from '../../src/shared/chunks.ts';
import { filePath } from '../../src/shared/file-name.ts';
import { decodeStart, encodeStart } from '../../src/shared/start-file.ts';

const set = 'abcdefghijkl';
const bytes = (length: number, seed = 1) =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + seed * 17) & 0xff);
const refusal = (code: string) => expect.objectContaining({ code });

describe('a chunk', () => {
  test.each([0, 1, 57, 58, 59, 127, 128, 1000, 70_000])('of %d bytes is read', (length) => {
    const stored = new Uint8Array(encodeChunk(set, 7, bytes(length)));
    expect(stored.length % chunkUnit).toBe(0);
    expect(decodeChunk(set, 7, stored, 'f')).toEqual(bytes(length));
  });

  test('of another place, of another set, or that is none, is refused', () => {
    const stored = new Uint8Array(encodeChunk(set, 7, bytes(100)));
    for (const [name, i] of [
      [set, 8],
      [set, 7 + 2 ** 24],
      ['mbcdefghijkl', 7],
    ] as const) {
      expect(() => decodeChunk(name, i, stored, 'f')).toThrowError(refusal('BadValue'));
    }
    for (const other of [new Uint8Array(), new Uint8Array(3), new TextEncoder().encode('<!doc')]) {
      expect(() => decodeChunk(set, 7, other, 'f')).toThrowError(refusal('BadValue'));
    }
    for (let length = 4; length < 105; length++) {
      expect(() => decodeChunk(set, 7, stored.slice(0, length), 'f')).toThrowError(
        expect.objectContaining({ code: expect.stringMatching(/^(Truncated|BadValue)$/) }),
      );
    }
  });
});

describe('files of a set', () => {
  const chunks = Array.from({ length: 500 }, (_, i) => bytes(100 + ((i * 7919) % 900), i));

  test.each([
    ['packs', 2048, filePath.pack],
    ['long files', 100_000, filePath.long],
  ])('have every chunk once, in %s', (_, size, path) => {
    const made = filesOfSet('texts', chunks, { hasLong: true, mostFiles: 1e9 });
    const { name, packBytes, longBytes } = made?.set ?? { name: '', packBytes: 0, longBytes: 0 };
    const fileBytes = path === filePath.pack ? packBytes : longBytes;
    expect(fileBytes).toBeGreaterThanOrEqual(size);
    const places = new ChunkPlaces(made?.table.units ?? []);
    const files = new Map(made?.files.map((file) => [file.path, new Uint8Array(file.bytes)]));
    chunks.forEach((chunk, i) => {
      const { file, from, to } = places.in(i, fileBytes);
      const stored = files.get(path('texts', name, file))?.slice(from, to) ?? new Uint8Array();
      expect(decodeChunk(name, i, stored, 'f')).toEqual(chunk);
    });
  });

  test('are few for a large site, and fewer where few are wanted', () => {
    const many = Array.from({ length: 4000 }, (_, i) => bytes(1000, i));
    const count = (mostFiles: number) =>
      filesOfSet('texts', many, { hasLong: true, mostFiles })?.files.length ?? 0;
    expect(count(1e9)).toBeLessThanOrEqual(901);
    expect(count(50)).toBeLessThanOrEqual(50);
    expect(filesOfSet('texts', many, { hasLong: true, mostFiles: 1 })).toBeUndefined();
  });

  test('are packs alone if the host has no ranges', () => {
    const made = filesOfSet('words', chunks, { hasLong: false, mostFiles: 1e9 });
    expect(made?.set.longBytes).toBe(0);
    expect(made?.files.filter(({ path }) => path.includes('all-'))).toEqual([]);
    const beside = filesOfSet('words', chunks, { hasLong: true, mostFiles: 1e9 });
    expect(made?.set.packBytes).toBeLessThan(beside?.set.packBytes ?? 0);
  });
});

describe('the start file', () => {
  const info = (chunks: number) => ({ name: set, chunks, packBytes: 4096, longBytes: 0 });
  const sizes = {
    pages: 2,
    parts: 3,
    sets: { words: info(2), texts: info(3), vectors: info(1) },
    vectors: { centroids: set },
  };
  const tables = {
    words: { units: [3, 4], keys: ['a', 'b'] },
    texts: { units: [1, 2, 300], keys: [] },
    vectors: { units: [9], keys: [] },
  };
  const dictionary = bytes(20);
  const encoded = encodeStart([1, 2], tables, dictionary);

  test('says where chunks are, and their keys', () => {
    const { table, sets } = decodeStart(encoded, sizes, 'f');
    expect([0, 1, 2].map((part) => table.pageOf(part))).toEqual([0, 1, 1]);
    expect(sets.words?.keys).toEqual(['a', 'b']);
    expect(sets.texts?.places.in(2, 1e9)).toEqual({ file: 0, from: 192, to: 303 * 64 });
    expect(sets.related).toBeUndefined();
    expect(decodeStart(encoded, sizes, 'f').dictionary).toEqual(dictionary);
  });

  test('has the centroids if the manifest names no file of them', () => {
    const start = encodeStart([1, 2], tables, dictionary, bytes(50));
    const { vectors: _, ...plain } = sizes;
    expect(decodeStart(encoded, plain, 'f').centroids).toEqual(new Uint8Array());
    const own = { ...sizes, vectors: {} };
    expect(decodeStart(start, own, 'f').centroids).toEqual(bytes(50));
    expect(() => decodeStart(start, sizes, 'f')).toThrowError(refusal('BadValue'));
    expect(() => decodeStart(encoded, own, 'f')).toThrowError(refusal('Truncated'));
  });

  test('that ends early or does not fit the manifest is refused', () => {
    for (let length = 0; length < encoded.length; length++) {
      expect(() => decodeStart(encoded.subarray(0, length), sizes, 'f')).toThrowError(
        expect.objectContaining({ path: 'f' }),
      );
    }
    const others = [
      { ...sizes, parts: 2 ** 30 },
      { ...sizes, pages: 3 },
      { ...sizes, sets: { ...sizes.sets, related: info(1) } },
      { ...sizes, sets: { ...sizes.sets, words: info(1) } },
      { ...sizes, sets: { ...sizes.sets, texts: info(2) } },
    ];
    for (const other of others) {
      expect(() => decodeStart(encoded, other, 'f')).toThrowError(
        expect.objectContaining({ path: 'f' }),
      );
    }
  });
});
