// Estimates of tokens: the short way for ASCII, and the one for all texts.
import { expect, test } from 'vitest';
import { estimateTokens } from '../../../../web/src/passages/packing/count-tokens.ts';

test('a text has the same tokens with a character beyond ASCII beside it', () => {
  // A mark of its own is one token more.
  const tokensOf = (text: string) => estimateTokens(`${text} é`) - 1;
  const all = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const words = ['a', 'abcdef', 'abcdefg', 'abcdefghijkl', 'abcdefghijklm', 'x86-64, a_b', '3.14'];
  for (const text of ['', ...all, ...words, all.join(''), all.join('a'), words.join(' ')]) {
    expect(estimateTokens(text), JSON.stringify(text)).toBe(tokensOf(text));
  }
  expect(estimateTokens('abcdefg, owls')).toBe(4);
});
