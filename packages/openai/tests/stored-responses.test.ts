// What clients may refer to by an id.

import { expect, test } from 'vitest';
import { StoredResponses } from '../src/responses/stored-responses.ts';

test('the oldest goes first when there is too much', () => {
  const stored = new StoredResponses();
  const text = 'a'.repeat(3_000_000);
  for (let i = 0; i < 7; i++) {
    stored.set(String(i), { i, text });
  }
  expect([0, 1, 2, 6].map((i) => stored.get(String(i)) !== undefined)).toEqual([
    ...[false, false, true, true],
  ]);
  for (let i = 0; i < 5000; i++) {
    stored.set(`small ${i}`, i);
  }
  expect(stored.get('small 0')).toBeUndefined();
  expect(stored.get('small 4999')).toBe(4999);
});

test('what is too large by itself is not held', () => {
  const stored = new StoredResponses();
  stored.set('small', 1);
  stored.set('large', 'a'.repeat(5_000_000));
  expect(stored.get('large')).toBeUndefined();
  expect(stored.get('small')).toBe(1);
});
