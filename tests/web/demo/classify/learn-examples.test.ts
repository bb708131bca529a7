import { expect, test } from 'vitest';
import { sampleLines, typedExamples } from '../../../../web/demo/classify/learn/learn-examples.ts';

test('a label, a colon and a text on each line', () => {
  expect(typedExamples(' card :  My card: lost \n\nmoney:Where is it?\r\n')).toEqual({
    examples: [
      { label: 'card', text: 'My card: lost' },
      { label: 'money', text: 'Where is it?' },
    ],
  });
});

test('a tab comes before a colon, as tables are pasted', () => {
  expect(typedExamples('a: b\tMy text: it\nc\td\te')).toEqual({
    examples: [
      { label: 'a: b', text: 'My text: it' },
      { label: 'c', text: 'd\te' },
    ],
  });
});

test.each([
  ['', /two labels/],
  ['card: one\ncard: two', /two labels/],
  ['card: one\n\nmoney', /^Line 3 /],
  ['card: one\n: two', /^Line 2 /],
  ['card:\nmoney: two', /^Line 1 /],
])('%j has a problem', (typed, problem) => {
  expect(typedExamples(typed)).toEqual({ problem: expect.stringMatching(problem) });
});

test('the samples have five texts of each label', () => {
  const found = typedExamples(sampleLines);
  const labels = 'examples' in found ? found.examples.map(({ label }) => label) : [];
  const counts = [...new Set(labels)].map((one) => labels.filter((label) => label === one).length);
  expect(counts).toEqual([5, 5, 5]);
});
