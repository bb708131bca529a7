// The files of an index: what is written is read, and what is damaged is refused with a place.
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '../../src/shared/bytes.ts';
import { type CodeBits, CodedProduct, encodeVector } from '../../src/shared/codes.ts';
import { fileName, isFileName, nameDigest } from '../../src/shared/file-name.ts';
import {
  decodeCentroids,
  decodeList,
  encodeCentroids,
  encodeList,
} from '../../src/shared/lists.ts';
import { encodePageTable, PageTable } from '../../src/shared/page-table.ts';
import { parsePart } from '../../src/shared/part-text.ts';
import { decodePostings, encodePostings, impactOf } from '../../src/shared/postings.ts';
import {
  decodeKeys,
  decodeWordShard,
  encodeEntry,
  encodeKeys,
  encodeWordShard,
  postingsIn,
} from '../../src/shared/word-shard.ts';

const refusal = (code: string) =>
  expect.objectContaining({ code, path: expect.stringMatching(/^f/) });

/** Every prefix of a file is refused, and none is read as something else. */
function expectTruncated(bytes: Uint8Array, read: (part: Uint8Array) => unknown): void {
  for (let length = 0; length < bytes.length; length++) {
    expect(() => read(bytes.subarray(0, length)), `${length}`).toThrowError(
      expect.objectContaining({ code: expect.stringMatching(/^(Truncated|BadValue)$/) }),
    );
  }
}

describe('numbers', () => {
  test.each([
    0,
    1,
    127,
    128,
    16_383,
    16_384,
    2 ** 31 - 1,
  ])('%d is read as it was written', (value) => {
    const writer = new ByteWriter();
    writer.integer(value);
    const reader = new ByteReader(writer.finish(), 'f');
    expect(reader.integer()).toBe(value);
    reader.expectEnd();
  });

  test('that are too large or too long are refused', () => {
    const large = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x7f);
    expect(() => new ByteReader(large, 'f').integer()).toThrowError(refusal('BadValue'));
    const long = new Uint8Array(8).fill(0x80);
    expect(() => new ByteReader(long, 'f').integer()).toThrowError(refusal('BadValue'));
    expect(() => new ByteReader(Uint8Array.of(5), 'f').integerUpTo(4)).toThrowError(
      expect.objectContaining({ code: 'BadValue', byteOffset: 0 }),
    );
  });

  test('of bytes that are not there are refused', () => {
    expect(() => new ByteReader(Uint8Array.of(1), 'f').bytes(2)).toThrowError(refusal('Truncated'));
  });
});

describe('postings', () => {
  const postings = [0, 1, 7, 300, 301].map((part, i) => ({ part, impact: 0.2 + i * 0.45 }));

  test('are read as they were written, and what they count in fifteen steps', () => {
    const read = decodePostings(new ByteReader(encodePostings(postings), 'f'), 302);
    expect(read.map(({ part }) => part)).toEqual([0, 1, 7, 300, 301]);
    read.forEach(({ impact }, i) => {
      expect(Math.abs(impact - (postings[i]?.impact ?? 0))).toBeLessThan(3 / 30 + 1e-9);
    });
  });

  test('take a byte and a half', () => {
    const many = Array.from({ length: 1000 }, (_, i) => ({ part: i * 3, impact: 1 }));
    expect(encodePostings(many).length).toBeLessThan(1505);
  });

  test('of parts that are not there are refused', () => {
    const read = () => decodePostings(new ByteReader(encodePostings(postings), 'f'), 301);
    expect(read).toThrowError(refusal('BadValue'));
  });

  test('that end early are refused', () => {
    expectTruncated(encodePostings(postings), (part) =>
      decodePostings(new ByteReader(part, 'f'), 302),
    );
  });

  test('count more for words that occur often, in short parts, and in names', () => {
    expect(impactOf(2, 1, false)).toBeGreaterThan(impactOf(1, 1, false));
    expect(impactOf(1, 0.5, false)).toBeGreaterThan(impactOf(1, 2, false));
    expect(impactOf(1000, 0.1, false)).toBeLessThan(2.2);
    expect(impactOf(2, 1, true)).toBeGreaterThan(impactOf(3, 1, false));
    const most = [{ part: 0, impact: impactOf(1e9, 0, true) }];
    const [read] = decodePostings(new ByteReader(encodePostings(most), 'f'), 1);
    expect(read?.impact).toBeCloseTo(3);
  });
});

describe('a shard of words', () => {
  const entries = ['en a', 'en ab*', 'en abc', 'en 𝒳𝒴', 'en 𝒳𝒵', 'zh 猫'].map((key, i) =>
    encodeEntry({
      key,
      holders: i + 1,
      forms: i % 2 ? ['x', 'yz'] : [],
      postings: [{ part: i, impact: 1 }],
    }),
  );

  test('is read as it was written', () => {
    const read = decodeWordShard(encodeWordShard(entries), 'f');
    expect(read.map(({ key, holders, forms }) => ({ key, holders, forms }))).toEqual(
      entries.map(({ key, holders, forms }) => ({ key, holders, forms })),
    );
    expect(read.map((entry) => postingsIn(entry, 6, 'f')[0]?.part)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('that ends early or has words in another order is refused', () => {
    expectTruncated(encodeWordShard(entries), (part) => decodeWordShard(part, 'f'));
    const [a, b] = entries as [(typeof entries)[0], (typeof entries)[0]];
    expect(() => decodeWordShard(encodeWordShard([b, a]), 'f')).toThrowError(refusal('BadValue'));
  });
});

describe('the first keys of shards', () => {
  test('are read as they were written', () => {
    const keys = ['en a', 'en 𝒳', 'zh 猫'];
    expect(decodeKeys(encodeKeys(keys), 'f')).toEqual(keys);
  });

  test.each([[['b', 'a']], [['a', 'a']], [['a', 1]], [{}]])('%j are refused', (keys) => {
    const bytes = new TextEncoder().encode(JSON.stringify(keys));
    expect(() => decodeKeys(bytes, 'f')).toThrowError(refusal('BadValue'));
  });
});

describe('codes of vectors', () => {
  /** A vector of length 1. */
  const vector = (seed: number, dim: number) => {
    const values = Float32Array.from({ length: dim }, (_, i) => Math.sin(seed * 7919 + i * i + 1));
    return values.map((value) => value / Math.hypot(...values));
  };
  const product = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

  test.each([
    [4, 96, 0.03],
    [8, 96, 0.004],
    [4, 7, 0.1],
    [8, 1, 0.01],
    [2, 96, 0.1],
    [1, 256, 0.15],
    [1, 13, 0.6],
  ])('of %d bits and %d numbers keep products within %d', (bits, dim, tolerance) => {
    for (let i = 0; i < 50; i++) {
      const [a, b] = [vector(i, dim), vector(i + 100, dim)];
      const { codes, factor } = encodeVector(a, bits as CodeBits);
      const found = new CodedProduct(b, bits as CodeBits).of(codes, 0, factor);
      expect(Math.abs(found - product(a, b))).toBeLessThan(tolerance);
    }
  });

  test('of nothing are harmless', () => {
    const { codes, factor } = encodeVector(new Float32Array(96), 4);
    const found = new CodedProduct(vector(1, 96), 4).of(codes, 0, factor);
    expect(Number.isFinite(found)).toBe(true);
  });
});

describe('lists', () => {
  const form = { dim: 4, bits: 4 } as const;
  const rows = [2, 3, 500].map((row) => ({
    row,
    factor: row & 255,
    codes: Uint8Array.of(row & 15, 7),
  }));

  test('are read as they were written', () => {
    const list = decodeList(encodeList(rows), form, 501, 'f');
    expect(list.rows).toEqual([2, 3, 500]);
    expect([...list.factors]).toEqual([2, 3, 244]);
    expect([...list.codes]).toEqual([2, 7, 3, 7, 4, 7]);
  });

  test('that end early, or name parts that are not there, are refused', () => {
    expectTruncated(encodeList(rows), (part) => decodeList(part, form, 501, 'f'));
    expect(() => decodeList(encodeList(rows), form, 500, 'f')).toThrowError(refusal('BadValue'));
  });

  test('have centroids that say how long they are', () => {
    const centroids = [{ size: 300, factor: 9, codes: Uint8Array.of(1, 2) }];
    const bytes = encodeCentroids(centroids);
    expect(decodeCentroids(bytes, form, 'f')).toEqual(centroids);
    expectTruncated(bytes, (part) => decodeCentroids(part, form, 'f'));
  });
});

describe('the table of pages', () => {
  const sizes = { pages: 3, parts: 4 };
  const bytes = encodePageTable([1, 2, 1]);

  test('says to which page a part belongs', () => {
    const table = new PageTable(bytes, sizes, 'f');
    expect([0, 1, 2, 3].map((part) => table.pageOf(part))).toEqual([0, 1, 1, 2]);
  });

  test('that does not fit the manifest is refused', () => {
    expectTruncated(bytes, (part) => new PageTable(part, sizes, 'f'));
    for (const wrong of [{ pages: 2 }, { parts: 3 }, { parts: 5 }]) {
      expect(() => new PageTable(bytes, { ...sizes, ...wrong }, 'f')).toThrowError(
        refusal('BadValue'),
      );
    }
  });
});

describe('a text', () => {
  const part = {
    url: 'a',
    title: 'A',
    language: 'en',
    sections: [{ anchor: '', heading: '', text: 'abc' }],
    passages: [[0, 0, 3]],
    filters: { kind: ['x'] },
  };

  test('is read', () => expect(parsePart(JSON.stringify(part), 'f')).toEqual(part));

  test.each([
    ['the JSON', 'x'],
    ['url', { ...part, url: 1 }],
    ['sections', { ...part, sections: [{ text: 'a' }] }],
    ['passages', { ...part, passages: [[0, 0, 4]] }],
    ['passages', { ...part, passages: [[1, 0, 0]] }],
    ['passages', { ...part, passages: [[0, 2, 1]] }],
    ['filters', { ...part, filters: { kind: 'x' } }],
    ['filters', { ...part, filters: null }],
    ['url', null],
  ])('with a wrong %s is refused', (field, value) => {
    const json = typeof value === 'string' ? value : JSON.stringify(value);
    expect(() => parsePart(json, 'f')).toThrowError(
      expect.objectContaining({ code: 'BadValue', path: `f, ${field}` }),
    );
  });
});

test('a name is twelve characters of a digest, the first of them a letter', () => {
  const digest = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
  const name = fileName(digest);
  expect(isFileName(name)).toBe(true);
  expect(nameDigest(name)).toEqual(Uint8Array.of(127, ...digest.subarray(1, 9)));
  for (const other of ['_bcdefghijkl', '', '../../../etc', 'abc', 12, undefined]) {
    expect(isFileName(other)).toBe(false);
  }
});
