// What of an answer may be shown before it is clear whether it calls a tool.
import { describe, expect, test } from 'vitest';
import { HeldText } from '../../../../web/src/generator/reply/held-text.ts';

/** What is sent with each piece, and what is left. */
function sent(pieces: readonly string[]): [string[], string] {
  const held = new HeldText();
  return [pieces.map((piece) => held.add(piece)), held.rest()];
}

describe('text', () => {
  test('is sent at once, but not the spaces at its end', () => {
    expect(sent(['Hello', ' ', 'world', '.'])).toEqual([['Hello', '', ' world', '.'], '']);
  });

  test('that may begin a call waits until it is clear', () => {
    expect(sent(['a <', 'b', '> [TOOL', 'S]'])).toEqual([['a', ' <b', '>', ' [TOOLS]'], '']);
  });

  test('behind a mark is held back', () => {
    expect(sent(['Well. <tool', '_call>{"name"', ': 1} more'])).toEqual([
      ['Well.', '', ''],
      ' <tool_call>{"name": 1} more',
    ]);
    expect(sent(['<|python_tag|>x'])).toEqual([[''], '<|python_tag|>x']);
  });

  test('that is JSON from its first character on is held back', () => {
    expect(sent([' ', '{', '}'])).toEqual([['', '', ''], ' {}']);
    expect(sent(['[', '1]'])).toEqual([['', ''], '[1]']);
  });

  test('is whole, however it is cut', () => {
    const whole = 'One <two <tool_cal three [TOOL_CALLS] four';
    for (let size = 1; size < 9; size++) {
      const pieces = whole.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
      const [parts, rest] = sent(pieces);
      expect(parts.join('')).toBe('One <two <tool_cal three');
      expect(parts.join('') + rest).toBe(whole);
    }
  });
});

test('beside the calls, only what was not sent is left', () => {
  const held = new HeldText();
  expect(held.add('See:\n<tool_call>{}</tool_call>\nDone')).toBe('See:');
  expect(held.restOf('See:\n\nDone')).toBe('\n\nDone');
  const silent = new HeldText();
  silent.add('<tool_call>{}</tool_call>');
  expect(silent.restOf('')).toBe('');
});
