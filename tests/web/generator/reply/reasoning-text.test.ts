// What a model thinks before its answer, apart from the answer.
import { describe, expect, test } from 'vitest';
import { openMarks, ReasoningText } from '../../../../web/src/generator/reply/reasoning-text.ts';

/** Both parts of an answer that comes in these pieces. */
function parts(pieces: readonly string[], prompt = ''): [reasoning: string, text: string] {
  const splitter = new ReasoningText(openMarks(prompt));
  const all = [...pieces.map((piece) => splitter.add(piece)), splitter.rest()];
  return [all.map(({ reasoning }) => reasoning).join(''), all.map(({ text }) => text).join('')];
}

describe('an answer', () => {
  test.each([
    ['<think>\nSo.\n</think>\n\nYes.', 'So.', 'Yes.'],
    ['\n<think>So.</think>Yes.', 'So.', 'Yes.'],
    ['<think>\n\n</think>\n\nYes.', '', 'Yes.'],
    ['[THINK]So.[/THINK]Yes.', 'So.', 'Yes.'],
    ['<think>So < then </th', 'So < then </th', ''],
    ['<think>a\n\nb </think> c ', 'a\n\nb', 'c '],
    ['Yes.', '', 'Yes.'],
    ['  Yes.', '', '  Yes.'],
    ['Yes <think>no</think>', '', 'Yes <think>no</think>'],
    ['<thing>', '', '<thing>'],
    ['<thi', '', '<thi'],
    ['<|channel>thought\nSo.\n<channel|>Yes.', 'So.', 'Yes.'],
    ['<|START_THINKING|>So.<|END_THINKING|>Yes.', 'So.', 'Yes.'],
    [' ', '', ' '],
  ])('%j has the same parts, however it is cut', (answer, reasoning, text) => {
    expect(parts([answer])).toEqual([reasoning, text]);
    expect(parts([...answer])).toEqual([reasoning, text]);
    for (let at = 1; at < answer.length; at++) {
      expect(parts([answer.slice(0, at), answer.slice(at)])).toEqual([reasoning, text]);
    }
  });

  test('may begin within the thinking that the prompt began', () => {
    for (const prompt of ['user: Hi\n<think>', 'user: Hi\n<think>\n']) {
      expect(parts([...'So.\n</think>\nYes.'], prompt)).toEqual(['So.', 'Yes.']);
      expect(parts([...'<think>So.</think>Yes.'], prompt)).toEqual(['So.', 'Yes.']);
    }
    const closed = 'user: Hi\n<think>\n\n</think>\n\n';
    expect(parts([...'Yes.'], closed)).toEqual(['', 'Yes.']);
  });

  test('is sent as soon as it is clear', () => {
    const splitter = new ReasoningText();
    expect(splitter.add('<think>So')).toEqual({ reasoning: 'So', text: '' });
    expect(splitter.isReasoning).toBe(true);
    expect(splitter.add(' it')).toEqual({ reasoning: ' it', text: '' });
    expect(splitter.add(' </think>')).toEqual({ reasoning: '', text: '' });
    expect(splitter.isReasoning).toBe(false);
    expect(splitter.add('\nYes')).toEqual({ reasoning: '', text: 'Yes' });
  });
});
