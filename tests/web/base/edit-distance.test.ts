// How many letters two words differ by.
import { expect, test } from 'vitest';
import { editDistance } from '../../../web/src/base/edit-distance.ts';

test.each([
  ['lifetime', 'lifetime', 0],
  ['lifetme', 'lifetime', 1],
  ['pyhton', 'python', 1],
  ['tred', 'thread', 2],
  ['borow', 'borrow', 1],
  ['kitten', 'sitting', 3],
  ['', 'ab', 2],
  ['winter', 'wiinter', 1],
  ['winter', 'w', 5],
  ['ab', 'ba', 1],
  ['ł🚀', '🚀ł', 1],
])('of %s and %s is %d', (a, b, distance) => {
  expect(editDistance(a, b, 5)).toBe(distance);
  expect(editDistance(b, a, 5)).toBe(distance);
  expect(editDistance(a, b, 1)).toBe(Math.min(2, distance));
});
