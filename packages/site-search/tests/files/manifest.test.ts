// A manifest comes from a server and is not trusted.
import { describe, expect, test } from 'vitest';
import { type Manifest, parseManifest } from '../../src/shared/manifest.ts';

const name = 'abcdefghijkl';
const set = { name, chunks: 1, packBytes: 4096, longBytes: 0 };
const manifest: Manifest = {
  format: 'ambry-site-search',
  version: 6,
  site: '../',
  pages: 1,
  parts: 1,
  start: name,
  sets: { words: set, texts: set, vectors: set },
  words: {
    parts: { en: 1 },
    common: { en: ['cat'] },
    little: { en: ['the'] },
  },
  filters: { lang: name },
  vectors: {
    dim: 96,
    bits: 4,
    centroids: name,
    centroidForm: { dim: 96, bits: 2 },
    rowsRead: 1,
    recall: 1,
    meanCosine: 0.1,
    deviation: 0.1,
    closeFrom: 0.4,
  },
  model: { name, bytes: 1 },
};

const { words, vectors, sets } = manifest;

describe('a manifest', () => {
  test('is read', () => expect(parseManifest(JSON.stringify(manifest))).toEqual(manifest));

  test.each([5, 7])('of version %d is refused, with what to do', (version) => {
    const json = JSON.stringify({ ...manifest, version });
    expect(() => parseManifest(json)).toThrowError(
      expect.objectContaining({
        code: 'UnsupportedVersion',
        path: 'manifest.version',
        message: expect.stringContaining('Update ambry-site-search'),
      }),
    );
  });

  test('of an index that is searched by words alone has nothing of meaning', () => {
    const { vectors: _, model: __, ...others } = manifest;
    const plain = { ...others, sets: { words: set, texts: set } };
    expect(parseManifest(JSON.stringify(plain))).toEqual(plain);
    for (const [path, more] of [
      ['manifest.model', { model: { name, bytes: 1 } }],
      ['manifest.sets.vectors', { sets: { ...plain.sets, vectors: set } }],
      ['manifest.sets.related', { sets: { ...plain.sets, related: set } }],
    ] as const) {
      expect(() => parseManifest(JSON.stringify({ ...plain, ...more }))).toThrowError(
        expect.objectContaining({ code: 'BadValue', path }),
      );
    }
  });

  test('that is a page is refused', () => {
    expect(() => parseManifest('<!doctype html>')).toThrowError(
      expect.objectContaining({ code: 'BadValue', path: 'manifest' }),
    );
  });

  test.each([
    ['manifest', []],
    ['manifest.format', { format: 'x' }],
    ['manifest.site', { site: 1 }],
    ['manifest.pages', { pages: -1 }],
    ['manifest.parts', { parts: 2 ** 31 }],
    ['manifest.start', { start: '../../secrets' }],
    ['manifest.sets', { sets: [] }],
    ['manifest.sets.lists', { sets: { ...sets, lists: set } }],
    ['manifest.sets.vectors', { sets: { words: set, texts: set } }],
    ['manifest.sets.related', { sets: { ...sets, related: 1 } }],
    ['manifest.sets.words.name', { sets: { ...sets, words: { ...set, name: 'x' } } }],
    ['manifest.sets.words.size', { sets: { ...sets, words: { ...set, size: 1 } } }],
    ['manifest.sets.words.chunks', { sets: { ...sets, words: { ...set, chunks: -1 } } }],
    ['manifest.sets.words.packBytes', { sets: { ...sets, words: { ...set, packBytes: 0 } } }],
    ['manifest.sets.words.longBytes', { sets: { ...sets, words: { ...set, longBytes: '1' } } }],
    ['manifest.sets.texts.chunks', { parts: 2 }],
    ['manifest.words', { words: null }],
    ['manifest.vectors.rowsRead', { vectors: { ...vectors, rowsRead: -1 } }],
    ['manifest.words.parts.en', { words: { ...words, parts: { en: 'x' } } }],
    ['manifest.words.common.en', { words: { ...words, common: { en: [1] } } }],
    ['manifest.words.parts.xx_!!', { words: { ...words, parts: { 'xx_!!': 1 } } }],
    ['manifest.words.parts.DE', { words: { ...words, parts: { DE: 1 } } }],
    ['manifest.words.parts.de-AT', { words: { ...words, parts: { 'de-AT': 1 } } }],
    ['manifest.words.parts.', { words: { ...words, parts: { '': 1 } } }],
    ['manifest.words.common.de', { words: { ...words, common: { de: [] } } }],
    ['manifest.words.common.x\u202ey', { words: { ...words, common: { 'x\u202ey': [] } } }],
    ['manifest.colour', { colour: 1 }],
    ['manifest.words.part', { words: { ...words, part: 1 } }],
    ['manifest.vectors.bit', { vectors: { ...vectors, bit: 1 } }],
    [
      'manifest.vectors.centroidForm.x',
      { vectors: { ...vectors, centroidForm: { dim: 96, bits: 2, x: 1 } } },
    ],
    ['manifest.model.uri', { model: { name, bytes: 1, uri: 'x' } }],
    ['manifest.model.url', { model: { name, bytes: 1, sha256: '0'.repeat(64) } }],
    ['manifest.model.url', { model: { name, bytes: 1, url: 'http://', sha256: '0'.repeat(64) } }],
    ['manifest.site', { site: 'http://[' }],
    ['manifest.filters.lang', { filters: { lang: 'x/y' } }],
    ['manifest.vectors.dim', { vectors: { ...vectors, dim: 1e6 } }],
    ['manifest.vectors.bits', { vectors: { ...vectors, bits: 5 } }],
    ['manifest.vectors.centroidForm', { vectors: { ...vectors, centroidForm: 2 } }],
    [
      'manifest.vectors.centroidForm.dim',
      { vectors: { ...vectors, centroidForm: { dim: 97, bits: 2 } } },
    ],
    [
      'manifest.vectors.centroidForm.bits',
      { vectors: { ...vectors, centroidForm: { dim: 96, bits: 3 } } },
    ],
    ['manifest.vectors.meanCosine', { vectors: { ...vectors, meanCosine: 'x' } }],
    ['manifest.vectors.deviation', { vectors: { ...vectors, deviation: 0 } }],
    ['manifest.vectors.closeFrom', { vectors: { ...vectors, closeFrom: null } }],
    ['manifest.vectors.centroids', { vectors: { ...vectors, centroids: 5 } }],
    ['manifest.model.name', { model: { name: 'https://x', bytes: 1 } }],
    ['manifest.model.bytes', { model: { name, bytes: 'x' } }],
    ['manifest.model.url', { model: { name, bytes: 1, url: 5 } }],
    ['manifest.model.sha256', { model: { name, bytes: 1, url: '../a', sha256: 'x' } }],
  ])('is refused at %s', (path, change) => {
    const json = JSON.stringify(Array.isArray(change) ? change : { ...manifest, ...change });
    expect(() => parseManifest(json)).toThrowError(
      expect.objectContaining({ code: 'BadValue', path }),
    );
  });

  test('has as many languages as a search can look for words in', () => {
    const letters = 'abcdefghijklmnopq';
    const codes = [...letters].flatMap((a) => [...letters].map((b) => `${a}${b}`));
    const of = (count: number) => {
      const parts = Object.fromEntries(codes.slice(0, count).map((code) => [code, 1]));
      return JSON.stringify({ ...manifest, words: { ...words, parts, common: {} } });
    };
    expect(Object.keys(parseManifest(of(256)).words.parts)).toHaveLength(256);
    expect(() => parseManifest(of(257))).toThrowError(
      expect.objectContaining({ code: 'LimitExceeded', path: 'manifest.words.parts' }),
    );
  });
});
