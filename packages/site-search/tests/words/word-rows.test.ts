// Vectors of words: what is stored of them, and the vector of a query that is made of them.
import { readFileSync } from 'node:fs';
import { type Encoder, open } from 'ambry/encoder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { englishWords } from '../../src/build/related/english-words.ts';
import { wordVectors } from '../../src/build/related/word-vectors.ts';
import {
  addRow,
  decodeWordRows,
  encodeWordRows,
  sizeOf,
  wordRow,
} from '../../src/shared/word-rows.ts';
import { modelPath } from '../support/site.ts';

const row = (word: string, values: readonly number[], most = 1) => {
  const made = wordRow(word, Float32Array.from(values), most);
  expect(made).toBeDefined();
  return made as NonNullable<typeof made>;
};

describe('a row', () => {
  test('has the sign of each number and one size', () => {
    const sum = new Float32Array(10);
    const signs = [1, -1, -1, 1, 1, 1, -1, 1, -1, 1];
    addRow(
      sum,
      row(
        'cat',
        signs.map((sign) => sign / 2),
      ),
    );
    expect([...sum]).toEqual(signs.map((sign) => sign / 2));
  });

  test('keeps sizes to 3 %, down to a sixty-thousandth of the largest', () => {
    for (const size of [1, 0.7, 0.01, 1 / 60_000]) {
      expect(sizeOf(row('a', [size, -size])) / size).toBeCloseTo(1, 1.5);
    }
    expect(wordRow('a', Float32Array.of(1e-6, 1e-6), 1)).toBeUndefined();
    expect(wordRow('a', new Float32Array(2), 1)).toBeUndefined();
  });
});

describe('a chunk', () => {
  const rows = ['c', 'cat', 'cats', 'für', 'fürst', '猫'].map((word, i) =>
    row(word, [1, -1, i - 2.5, 1, 1, 1, 1, 1, -1], 10),
  );
  const bytes = encodeWordRows(rows);

  test('is read as it was written', () => {
    expect(decodeWordRows(bytes, 9, 'related 0')).toEqual(rows);
    expect(decodeWordRows(encodeWordRows([]), 9, 'related 0')).toEqual([]);
  });

  test('is refused wherever it ends too early, and with bytes after its end', () => {
    for (let end = 0; end < bytes.length; end++) {
      expect(() => decodeWordRows(bytes.slice(0, end), 9, 'related 0')).toThrow(/related 0/);
    }
    const longer = Uint8Array.of(...bytes, 0);
    expect(() => decodeWordRows(longer, 9, 'related 0')).toThrow(/after the end/);
  });
});

test('the English words are sorted, each is there once, and they are enough', async () => {
  const words = await englishWords();
  expect(words.length).toBeGreaterThan(30_000);
  expect([...new Set(words)].sort()).toEqual(words);
  expect(words).toEqual(expect.arrayContaining(['bread', 'insomnia', 'regex', 'the', 'webhook']));
});

describe('with the default model', () => {
  let encoder: Encoder;
  beforeAll(async () => {
    encoder = (await open(new Uint8Array(readFileSync(modelPath)))) as Encoder;
  });
  afterAll(() => encoder.dispose());

  test('the sum of a query’s words is near to its vector', async () => {
    const query = ['purring', 'kittens', 'sleep', 'windowsill'];
    const rows = await wordVectors(query, encoder, 192, async () => {});
    expect(rows.map(({ word }) => word)).toEqual(query);
    const sum = new Float32Array(192);
    for (const one of rows) {
      addRow(sum, one);
    }
    const exact = await encoder.embed(query.join(' '), { dim: 192, normalize: true });
    const product = sum.reduce((all, value, i) => all + value * (exact[i] as number), 0);
    expect(product / Math.hypot(...sum)).toBeGreaterThan(0.75);
  });

  test('words of unknown pieces and overlong ones have no row', async () => {
    const words = ['cat', '🚀', '🚀🚀', 'a'.repeat(33)];
    const rows = await wordVectors(words, encoder, 192, async () => {});
    expect(rows.map(({ word }) => word)).toEqual(['cat']);
  });
});
