import { describe, expect, test } from 'vitest';
import {
  contentWords,
  matchedRanges,
} from '../../../../../../web/demo/search/results/matching/matched-words.ts';

describe('matched words', () => {
  const marked = (question: string, text: string): string[] =>
    matchedRanges(text, contentWords(question)).map(({ start, end }) => text.slice(start, end));

  test('leave out function words', () => {
    expect(marked('what helps against an insect bite', 'What an insect: it helps.')).toEqual([
      'insect',
      'helps',
    ]);
  });

  test('match in any case, with any accent, as plural and possessive', () => {
    expect(marked('the café’s berry', 'Cafés, CAFE, berries and a berry’s stone')).toEqual([
      'Cafés',
      'CAFE',
      'berries',
      'berry’s',
    ]);
  });

  test('are whole words', () => {
    expect(marked('cat', 'concatenate the cat, catalogue it')).toEqual(['cat']);
    expect(marked('gas bus glass', 'a gas, a bus, glasses')).toEqual(['gas', 'bus', 'glasses']);
  });

  test('are single characters in Chinese', () => {
    expect(marked('猫', '我的猫在睡觉')).toEqual(['猫']);
  });

  test('are words of a dictionary where no spaces separate them', () => {
    expect(marked('カメラ', 'デジタルカメラの使い方')).toEqual(['カメラ']);
    expect(marked('แมว', 'แมวนอนหลับ')).toEqual(['แมว']);
  });

  test('keep the marks that are letters', () => {
    expect(marked('ที่', 'ที')).toEqual([]);
    expect(marked('שָׁלוֹם', 'שלום')).toEqual(['שלום']);
  });

  test('are none if the question has only function words or punctuation', () => {
    expect(marked('what is it?!', 'What is it?!')).toEqual([]);
    expect(marked('', 'anything')).toEqual([]);
  });
});
