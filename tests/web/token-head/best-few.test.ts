// The few best of many scores, beside all of them sorted.
import { expect, test } from 'vitest';
import { BestFew } from '../../../web/src/token-head/best-few.ts';

/** Numbers as by chance, from 0 to 1. */
function numbers(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  });
}

test.each([1, 3, 40, 5000])('the %d best of 3000', (k) => {
  for (const seed of [1, 2, 3]) {
    const scores = numbers(3000, seed);
    const best = new BestFew(k);
    scores.forEach((score, i) => {
      best.add(i, score);
    });
    const sorted = scores.map((score, i) => [i, score] as const).sort(([, a], [, b]) => b - a);
    expect(best.bestFirst()).toEqual(sorted.slice(0, k));
  }
});

test('a key has the best score that was added for it', () => {
  const scores = numbers(5000, 4);
  const best = new BestFew(7);
  const most = new Map<number, number>();
  scores.forEach((score, i) => {
    const key = i % 1000;
    best.add(key, score);
    most.set(key, Math.max(most.get(key) ?? 0, score));
  });
  expect(best.bestFirst()).toEqual([...most].sort(([, a], [, b]) => b - a).slice(0, 7));
});

test('equal scores keep the order in which they came', () => {
  const best = new BestFew(3);
  for (let key = 0; key < 1000; key++) {
    best.add(key, key === 500 ? 2 : 1);
  }
  expect(best.bestFirst()).toEqual([
    [500, 2],
    [0, 1],
    [1, 1],
  ]);
});
