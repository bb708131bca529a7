// How alike vectors are: cosine and dot.
import { describe, expect, test } from 'vitest';
import { ambry } from '../support/package.ts';
import { outcomeOf, wrongValues } from '../support/wrong-values.ts';

const { cosine, dot } = ambry;
const dist = (name: string) => new URL(`../../../dist/${name}.js`, import.meta.url).href;

test('cosine is that of the angle, whatever the lengths are', () => {
  expect(cosine([1, 0], [0, 5])).toBe(0);
  expect(cosine([1, 1], [2, 2])).toBeCloseTo(1, 15);
  expect(cosine(new Float32Array([1, 0]), [-3, 0])).toBe(-1);
  expect(cosine([1, 0], new Float32Array([1, 1]))).toBeCloseTo(Math.SQRT1_2, 15);
});

test('dot is the sum of the products', () => {
  expect(dot([1, 2, 3], new Float32Array([4, 5, 6]))).toBe(32);
  expect(dot([], [])).toBe(0);
});

test('sums are in double precision', () => {
  const many = new Float32Array(20_000_000).fill(1);
  expect(dot(many, many)).toBe(many.length);
  expect(dot(new Float32Array([0.1]), new Float32Array([0.1]))).toBe(Math.fround(0.1) ** 2);
});

test('the cosine of a vector of zeros is 0', () => {
  expect(cosine([0, 0], [1, 2])).toBe(0);
  expect(cosine(new Float32Array(3), new Float32Array(3))).toBe(0);
  expect(cosine([], [])).toBe(0);
});

test('a cosine is never beyond 1, and very large and small numbers are no exception', () => {
  for (let i = 1; i < 500; i++) {
    const vector = Array.from({ length: 3 }, (_, j) => Math.sin(i * 7919 + j));
    expect(cosine(vector, vector)).toBeLessThanOrEqual(1);
    expect(cosine(vector, vector)).toBeCloseTo(1, 12);
  }
  expect(cosine([1e200, 0], [1e200, 1e200])).toBeCloseTo(Math.SQRT1_2, 12);
  expect(cosine([1e-200, 0], [1e-320, 0])).toBe(1);
  expect(cosine(new Float32Array([3e38, 0]), new Float32Array([1e-45, 0]))).toBe(1);
});

describe.each([
  ['cosine', cosine],
  ['dot', dot],
] as const)('%s', (_, product) => {
  test('refuses what is no vector', async () => {
    for (const wrong of Object.values(wrongValues)) {
      for (const given of [
        [wrong, [1, 2, 3]],
        [[1, 2, 3], wrong],
      ]) {
        const isRight = wrong instanceof Float32Array;
        expect(await outcomeOf(product, given)).toBe(isRight ? 'taken' : 'refused');
      }
    }
  });

  test.each([
    [[undefined, [1]], 'BadValue', 'a', 'Must be a Float32Array or a list of numbers.'],
    [[[1], 'wrong'], 'BadValue', 'b', 'Must be a Float32Array or a list of numbers.'],
    [
      [[1], Promise.resolve([1])],
      'BadValue',
      'b',
      'Must be a Float32Array or a list of numbers. Await it first.',
    ],
    [
      [
        [1, Number.NaN],
        [1, 2],
      ],
      'BadValue',
      'a[1]',
      'Must be a finite number.',
    ],
    [[[1], new Float32Array([1 / 0])], 'BadValue', 'b[0]', 'Must be a finite number.'],
    [
      [
        [1, 2],
        [1, 2, 3],
      ],
      'Mismatch',
      'b',
      'Must have 2 numbers, as the other vector, not 3.',
    ],
  ])('says what is wrong with %o', (given, code, path, message) => {
    expect(() => product(...(given as [never, never]))).toThrow(
      expect.objectContaining({ name: 'AmbryError', code, path, message }),
    );
  });
});

test.each([
  'index',
  'encoder',
  'static-encoder',
  'vectors',
  'words',
  'node-encoder',
  'node-static-encoder',
  'node-vectors',
  'node-words',
])('%s.js has both', async (name) => {
  const entry = (await import(dist(name))) as Pick<typeof ambry, 'cosine' | 'dot'>;
  expect(entry.cosine([1], [2])).toBe(1);
  expect(entry.dot([1], [2])).toBe(2);
});
