// Which pages are read for an answer.
import { expect, test } from 'vitest';
import { bestPages } from '../../src/client/candidates.ts';

const spread = { meanCosine: 0, deviation: 0.1, weight: 1 };
const options = {
  filter: { allows: () => true },
  table: { pageOf: (part: number) => part },
  spread,
} as unknown as Parameters<typeof bestPages>[3];

/** Page 0 has most of the words, and is far from the meaning; the others are near to it. */
const words = new Map([[0, 0.5]]);
const found = { parts: words, pages: words };
const parts = Array.from({ length: 30 }, (_, i) => ({ part: i + 1, cosine: 30 - i }));
const near = { parts, cosineOf: (part: number) => parts[part - 1]?.cosine ?? 0 };

test('the best page by words is among them, however near others are', () => {
  const pages = bestPages(found, new Map(), near, options, 12);
  expect(pages.map(({ page }) => page)).toEqual([
    ...Array.from({ length: 12 }, (_, i) => i + 1),
    0,
  ]);
});

test('a page with the name is the first of them', () => {
  const named = new Map([[20, { part: 20, weight: 0.5 }]]);
  const pages = bestPages(found, named, near, options, 3);
  expect(pages.map(({ page }) => page)).toEqual([20, 1, 2, 0]);
});

test('by words alone there are as many as are wanted', () => {
  const all = new Map(Array.from({ length: 20 }, (_, i) => [i, 1 - i / 100]));
  const pages = bestPages({ parts: all, pages: all }, new Map(), undefined, options, 5);
  expect(pages.map(({ page }) => page)).toEqual([0, 1, 2, 3, 4]);
});
