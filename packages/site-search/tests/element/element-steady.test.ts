// Results that stay under the pointer when meaning joins.
import { expect, test } from 'vitest';
import type { SiteAnswer } from '../../src/client/base/types.ts';
import { steadyAnswer } from '../../src/element/steady.ts';

const answerOf = (by: SiteAnswer['by'], urls: string, query = 'a'): SiteAnswer => ({
  query,
  by,
  state: urls === '' ? 'no-words' : 'found',
  meaning: 'ready',
  total: urls.length,
  pages: [...urls].map((url) => ({ url })) as unknown as SiteAnswer['pages'],
});
const shown = (answer: SiteAnswer) => answer.pages.map(({ url }) => url).join('');

test('pages that words have found stay, and those of the meaning follow', () => {
  const both = steadyAnswer(answerOf('words', 'abc'), answerOf('hybrid', 'cdae'));
  expect(shown(both)).toBe('abcde');
  expect(both).toMatchObject({ by: 'hybrid', state: 'found', total: 5 });
});

test.each([
  ['another question', answerOf('words', 'abc'), answerOf('hybrid', 'cd', 'b')],
  ['a better answer of the same kind', answerOf('hybrid', 'abc'), answerOf('hybrid', 'cd')],
  ['words after both', answerOf('hybrid', 'abc'), answerOf('words', 'cd')],
  ['the first answer', undefined, answerOf('words', 'cd')],
])('%s is shown as it is', (_, before, next) => expect(steadyAnswer(before, next)).toBe(next));
