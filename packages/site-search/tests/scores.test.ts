// One score of words and of meaning.
import { expect, test } from 'vitest';
import { scoreOf } from '../src/client/scores.ts';

test('is between 0 and 1, and grows with each piece of evidence', () => {
  const none = { words: 0, share: 0, heading: 0, title: 0, cosine: 0 };
  expect(scoreOf(none)).toBe(0);
  expect(scoreOf({ words: 1, share: 1, heading: 1, title: 1, cosine: 1 })).toBeCloseTo(1);
  for (const name of ['words', 'share', 'heading', 'title', 'cosine']) {
    expect(scoreOf({ ...none, [name]: 0.5 }), name).toBeGreaterThan(0);
  }
});

test('takes what is not known as neither good nor bad', () => {
  expect(scoreOf({ words: 0.5 })).toBeCloseTo(0.5);
  expect(scoreOf({ cosine: 0.4 })).toBeCloseTo(0.4);
  expect(scoreOf({})).toBe(0);
});
