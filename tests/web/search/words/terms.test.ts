// How texts of several scripts are split into terms.
import { describe, expect, test } from 'vitest';
import {
  passageTerms,
  queryTerms,
  withoutAccents,
} from '../../../../web/src/search/words/terms.ts';

describe('terms', () => {
  test('are words where spaces separate them', () => {
    expect(passageTerms('L’eau, 12 км; Größe_x!')).toEqual(['L', 'eau', '12', 'км', 'Größe', 'x']);
    expect(queryTerms('हिन्दी में खोज')).toEqual(['हिन्दी', 'में', 'खोज']);
    expect(queryTerms('חיפוש مرحبا')).toEqual(['חיפוש', 'مرحبا']);
  });

  test('are characters and their pairs where no spaces separate words', () => {
    expect(queryTerms('東京都')).toEqual(['東京', '京都']);
    expect(passageTerms('東京都')).toEqual(['東', '京', '都', '東京', '京都']);
    expect(queryTerms('猫')).toEqual(['猫']);
    expect(queryTerms('고양이가')).toEqual(['고양', '양이', '이가']);
    expect(queryTerms('カタカナ・ひらがな')).toEqual([
      'カタ',
      'タカ',
      'カナ',
      'ひら',
      'らが',
      'がな',
    ]);
  });

  test('keep the marks with their characters', () => {
    // Thai vowels and tones stand above and below their consonants.
    expect(queryTerms('น้ำดี')).toEqual(['น้ํา', 'าดี']);
    expect(passageTerms('ကို')).toEqual(['ကို']);
  });

  test('are split where the script changes', () => {
    expect(queryTerms('iPhoneの電池')).toEqual(['iPhone', 'の電', '電池']);
    expect(queryTerms('Ｗｉｄｅ ﬁt')).toEqual(['Wide', 'fit']);
  });

  test('take time in proportion to the length of the text', () => {
    const text = '東'.repeat(200_000) + '\u0301'.repeat(200_000);
    expect(passageTerms(text).length).toBe(399_999);
  });
});

test('accents are removed, and marks that are letters are kept', () => {
  expect(withoutAccents('été')).toBe('ete');
  expect(withoutAccents('кто-нибудь ещё')).toBe('кто-нибудь еще');
  expect(withoutAccents('שָׁלוֹם')).toBe('שלום');
  expect(withoutAccents('مَرْحَبًا')).toBe('مرحبا');
  expect(withoutAccents('हिन्दी が')).toBe('हिन्दी が');
});
