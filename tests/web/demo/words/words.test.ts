// The parts of the words page that need no page, except the map.
import { describe, expect, it } from 'vitest';
import { correctShare } from '../../../../web/demo/words/accuracy-view.ts';
import { completionsOf } from '../../../../web/demo/words/completion.ts';
import { hasQuestions } from '../../../../web/demo/words/session/question-file.ts';

describe('helpers', () => {
  it('suggest the first words of the file with the prefix', () => {
    const words = [
      'the',
      'then',
      'winter',
      'there',
      ...Array.from({ length: 20 }, (_, i) => `the${i}`),
    ];
    expect(completionsOf('the', words).slice(0, 4)).toEqual(['the', 'then', 'there', 'the0']);
    expect(completionsOf('the', words)).toHaveLength(12);
    expect(completionsOf('', words)).toEqual([]);
  });

  it('tell questions from vectors by their first bytes', async () => {
    expect(await hasQuestions(new Blob([': family\nman woman king queen\n']))).toBe(true);
    expect(await hasQuestions(new Blob(['FiFu\0\0\0\0']))).toBe(false);
    expect(await hasQuestions(new Blob(['the 0.1 0.2\n']))).toBe(false);
    expect(await hasQuestions(new Blob([': 0.1 0.2\n, 0.3 0.4\n']))).toBe(false);
    expect(await hasQuestions(new Blob([]))).toBe(false);
  });

  it('give no share if no question was asked', () => {
    const counts = { correct: 3, count: 8, skipped: 1, averageCosine: 0.5 };
    expect(correctShare(counts)).toBe('37.5 %');
    expect(correctShare({ ...counts, correct: 0, count: 0 })).toBe('none asked');
  });
});
