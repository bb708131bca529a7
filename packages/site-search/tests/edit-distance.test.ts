// How many letters two words differ by.
import { expect, test } from 'vitest';
import { editDistance } from '../src/client/edit-distance.ts';

test.each([
  ['lifetime', 'lifetime', 0],
  ['lifetme', 'lifetime', 1],
  ['pyhton', 'python', 1],
  ['tred', 'thread', 2],
  ['borow', 'borrow', 1],
  ['kitten', 'sitting', 3],
  ['', 'ab', 2],
  ['ł🚀', '🚀ł', 1],
])('of %s and %s is %d', (a, b, distance) => {
  expect(editDistance(a, b, 5)).toBe(distance);
  expect(editDistance(b, a, 5)).toBe(distance);
  expect(editDistance(a, b, 1)).toBe(Math.min(2, distance));
});
