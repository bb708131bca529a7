import { describe, expect, test } from 'vitest';
import { certaintyOf, excerptOf } from '../../../../../web/demo/search/answers/answer-words.ts';

test.each([
  [1, 'The model is very sure.'],
  [0.8, 'The model is very sure.'],
  [0.79, 'The model is fairly sure.'],
  [0.5, 'The model is fairly sure.'],
  [0.3, 'The model is not sure.'],
  [0.19, 'This is no more than a guess.'],
  [0, 'This is no more than a guess.'],
])('a score of %d in words', (score, words) => {
  expect(certaintyOf(score)).toBe(words);
});

describe('the excerpt of a passage', () => {
  const answer = 'in the kitchen';
  const excerptIn = (before: string, after: string) =>
    excerptOf(before + answer + after, before.length, before.length + answer.length);

  test('is the whole of a short one', () => {
    expect(excerptIn('Cats sleep ', ', where it is warm.')).toEqual({
      before: 'Cats sleep ',
      answer,
      after: ', where it is warm.',
    });
  });

  test('has whole words around the answer in a long one', () => {
    const {
      before,
      answer: marked,
      after,
    } = excerptIn('many cats '.repeat(40), ' many dogs'.repeat(40));
    expect(marked).toBe(answer);
    expect(before).toMatch(/^… (many|cats) (many|cats) .* cats $/);
    expect(after).toMatch(/^ many dogs .*(many|dogs) …$/);
    expect(before.length + after.length).toBeLessThan(260);
  });

  test('is cut where there are no spaces, but not within a character', () => {
    const { before, after } = excerptIn(`x${'🐈'.repeat(200)}`, `${'🐕'.repeat(200)}`);
    expect(before).toMatch(/^… (🐈)+$/u);
    expect(after).toMatch(/^(🐕)+ …$/u);
  });
});
