// How texts of several scripts are split into terms.
import { describe, expect, test } from 'vitest';
import { foldWord, withoutAccents } from '../../../../web/src/search/words/fold.ts';
import { passageWords, queryWords } from '../../../../web/src/search/words/language-words.ts';
import { passageTerms, queryTerms } from '../../../../web/src/search/words/terms.ts';

describe('terms', () => {
  test('are words where spaces separate them', () => {
    expect(passageWords('L’eau, 12 км; Größe_x!')).toEqual(['L', 'eau', '12', 'км', 'Größe', 'x']);
    expect(queryWords('हिन्दी में खोज')).toEqual(['हिन्दी', 'में', 'खोज']);
    expect(queryWords('חיפוש مرحبا')).toEqual(['חיפוש', 'مرحبا']);
  });

  test('are characters and their pairs where no spaces separate words', () => {
    expect(queryWords('東京都')).toEqual(['東京', '京都']);
    expect(passageWords('東京都')).toEqual(['東', '京', '都', '東京', '京都']);
    expect(queryWords('猫')).toEqual(['猫']);
    expect(queryWords('고양이가')).toEqual(['고양', '양이', '이가']);
    expect(queryWords('カタカナ・ひらがな')).toEqual([
      'カタ',
      'タカ',
      'カナ',
      'ひら',
      'らが',
      'がな',
    ]);
  });

  test('are emoji, and words with joiners in them', () => {
    expect(passageWords('a 🚀🎉 b👨‍👩‍👧 © 1')).toEqual(['a', '🚀', '🎉', 'b', '👨‍👩‍👧', '1']);
    expect(passageWords('❤ ❤️ 🇫🇷🇩🇪 1️⃣')).toEqual(['❤', '❤️', '🇫🇷', '🇩🇪', '1']);
    expect(withoutAccents('❤️')).toBe('❤');
    expect(passageWords('می\u200cخواهم क्\u200dया \u200d')).toEqual(['می\u200cخواهم', 'क्\u200dया']);
  });

  test('keep the marks with their characters', () => {
    // Thai vowels and tones stand above and below their consonants.
    expect(queryWords('น้ำดี')).toEqual(['น้ํา', 'าดี']);
    expect(passageWords('ကို')).toEqual(['ကို']);
  });

  test('are split where the script changes', () => {
    expect(queryWords('iPhoneの電池')).toEqual(['iPhone', 'の電', '電池']);
    expect(queryWords('Ｗｉｄｅ ﬁt')).toEqual(['Wide', 'fit']);
  });

  test('have their places in the text', () => {
    const text = 'An 𝒳-ray of 東京';
    const places = [...passageTerms(text), ...queryTerms(text)];
    for (const { word, start, end } of places) {
      expect(text.slice(start, end)).toBe(word);
    }
    expect(places.map(({ word }) => word).slice(0, 8)).toEqual([
      'An',
      '𝒳',
      'ray',
      'of',
      '東',
      '京',
      '東京',
      'An',
    ]);
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
  expect(withoutAccents('हिंदी が')).toBe('हिंदी が');
});

describe('folding', () => {
  test.each([
    ['łódź', 'lodz'],
    ['øđðħŧı', 'oddhti'],
    ['œuvre æther þing straße', 'oeuvre aether thing strasse'],
    ['\u06cc\u06a9\u0629\u0649', '\u064a\u0643\u0647\u064a'],
    ['کتـــاب', 'كتاب'],
    ['क़लम', 'कलम'],
    ['हिन्दी चाँद', 'हिंदी चांद'],
  ])('makes %s %s', (word, folded) => expect(withoutAccents(word)).toBe(folded));

  test('makes German pairs of vowels one, in German only', () => {
    expect(foldWord('geraet', 'de')).toBe(foldWord('gerät', 'de'));
    expect(foldWord('geraet', 'en')).toBe('geraet');
  });
});
