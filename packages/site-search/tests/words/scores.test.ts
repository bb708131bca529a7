// One score of words, of meaning and of names.
import { expect, test } from 'vitest';
import {
  hybridScore,
  meaningWeight,
  named,
  passageScore,
  wordScore,
} from '../../src/client/scores.ts';

const spread = { meanCosine: 0.1, deviation: 0.1, weight: 1 };

test('of words is between 0 and 1, and grows with each piece of evidence', () => {
  const none = { words: 0, share: 0, heading: 0, title: 0 };
  expect(wordScore(none)).toBe(0);
  expect(wordScore({ words: 1, share: 1, heading: 1, title: 1 })).toBeCloseTo(1);
  for (const name of ['words', 'share', 'heading', 'title']) {
    expect(wordScore({ ...none, [name]: 0.5 }), name).toBeGreaterThan(0);
  }
});

test('of words takes what is not known as neither good nor bad', () => {
  expect(wordScore({ words: 0.5 })).toBeCloseTo(0.5);
  expect(wordScore({})).toBe(0);
});

test('of both adds little of meaning to words that are sure', () => {
  expect(hybridScore(0.5, 0.1, spread)).toBe(0.5);
  expect(hybridScore(0.5, 0.4, spread)).toBeCloseTo(0.65);
  expect(hybridScore(0.8, 0.1, spread)).toBeGreaterThan(hybridScore(0.5, 0.5, spread));
  expect(hybridScore(1, 1, spread)).toBeGreaterThan(hybridScore(0.99, 1, spread));
  expect(hybridScore(0, -1, spread)).toBe(0);
});

test('takes less of the meaning of identifiers, and of meaning without a model', () => {
  const whole = meaningWeight('how vectors grow', true);
  expect(meaningWeight('how vectors grow', false)).toBeLessThan(whole);
  for (const name of [
    'vec::drain_filter',
    'Deno.serve',
    'os.popen() ',
    'getUserById',
    'SO_REUSE',
  ]) {
    expect(meaningWeight(name, true), name).toBeLessThan(whole / 2);
  }
  for (const query of ['error-handling', 'What now?', 'React', 'e.g. this', 'C++']) {
    expect(meaningWeight(query, true), query).toBe(whole);
  }
  const less = { ...spread, weight: 0.5 };
  expect(hybridScore(0.5, 0.4, less)).toBeCloseTo(0.575);
});

test('of a passage grows with words together, in the heading, often, and with the meaning', () => {
  const least = { share: 0.5, count: 1, together: 0, heading: 0, cosine: 0.1 };
  for (const more of [
    { share: 0.6 },
    { count: 3 },
    { together: 1 },
    { heading: 1 },
    { cosine: 0.2 },
  ]) {
    expect(passageScore({ ...least, ...more }, spread)).toBeGreaterThan(
      passageScore(least, spread),
    );
  }
  expect(passageScore({ ...least, share: 0, count: 0, cosine: -1 }, spread)).toBe(0);
});

test('of a page with the name is above all others, and a title above a heading', () => {
  expect(named(1, 0)).toBeLessThan(named(0, 0.1));
  expect(named(0, 1)).toBeGreaterThan(named(1, 0.5));
  expect(named(1, 1)).toBe(1);
});
