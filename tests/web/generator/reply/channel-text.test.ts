// Answers in channels: the reasoning, the text and the calls of functions.
import { describe, expect, test } from 'vitest';
import { channelText } from '../../../../web/src/generator/reply/channel-text.ts';
import { shownMarks } from '../../../../web/src/generator/reply/reply-reader.ts';
import { parseToolCalls, toolCallSchema } from '../../../../web/src/generator/reply/tool-calls.ts';

const prompt = '<|start|>user<|message|>Hi<|end|><|start|>assistant';

/** Both parts of an answer that comes in these pieces. */
function parts(pieces: readonly string[], given = prompt): [reasoning: string, text: string] {
  const reader = channelText(given);
  if (!reader) {
    throw new Error('no channels');
  }
  const all = [...pieces.map((piece) => reader.add(piece)), reader.rest()];
  return [all.map(({ reasoning }) => reasoning).join(''), all.map(({ text }) => text).join('')];
}

const analysis = '<|channel|>analysis<|message|>So.<|end|>';
const final = '<|start|>assistant<|channel|>final<|message|>Yes.';
const call =
  '<|start|>assistant<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"n":1}';
const called = '<|channel|>commentary to=functions.add<|message|>{"n":1}';

describe('an answer', () => {
  test.each([
    [analysis + final, 'So.', 'Yes.'],
    [`${analysis}${final}<|return|>`, 'So.', 'Yes.'],
    ['<|channel|>final<|message|>Yes.', '', 'Yes.'],
    [`${analysis}<|start|>assistant${analysis}${final}`, 'So.\n\nSo.', 'Yes.'],
    [`<|channel|>commentary<|message|>Let me see.<|end|>${call}`, '', `Let me see.\n\n${called}`],
    [`${analysis}${call}<|call|>`, 'So.', called],
    [
      `${analysis}<|start|>assistant to=functions.add<|channel|>commentary json<|message|>{"n":1}`,
      'So.',
      called,
    ],
    ['<|channel|>analysis<|message|>a < b <|en', 'a < b <|en', ''],
    ['<|channel|>analysis', '', ''],
    ['Yes. <|channel|>', '', 'Yes. <|channel|>'],
    ['<3', '', '<3'],
  ])('%j has the same parts, however it is cut', (answer, reasoning, text) => {
    expect(parts([answer])).toEqual([reasoning, text]);
    expect(parts([...answer])).toEqual([reasoning, text]);
    for (let at = 1; at < answer.length; at++) {
      expect(parts([answer.slice(0, at), answer.slice(at)])).toEqual([reasoning, text]);
    }
  });

  test('may begin in the message that the prompt began', () => {
    expect(parts(['Yes.'], `${prompt}<|channel|>final<|message|>`)).toEqual(['', 'Yes.']);
    expect(parts(['So.', `<|end|>${final}`], `${prompt}<|channel|>analysis<|message|>`)).toEqual([
      'So.',
      'Yes.',
    ]);
  });

  test('of another template has no channels', () => {
    expect(channelText('user: Hi\n<think>')).toBeUndefined();
    expect(channelText('<|start|>user')).toBeUndefined();
    expect(shownMarks(prompt)).toContain('<|channel|>');
    expect(shownMarks('user: Hi')).toContain('<|channel>');
    expect(shownMarks(undefined)).toEqual([]);
  });
});

describe('the calls', () => {
  const template = '<|channel|>commentary to=functions.x';

  test('are messages to functions', () => {
    const answer = { text: 'Let me see.', calls: [{ name: 'add', arguments: { n: 1 } }] };
    expect(parseToolCalls(`Let me see.\n\n${called}`, template)).toEqual(answer);
    const two = parseToolCalls(called + called, template);
    expect(two.calls).toHaveLength(2);
    expect(parseToolCalls('Yes.', template)).toEqual({ text: 'Yes.', calls: [] });
    expect(() => parseToolCalls(`${called.slice(0, -1)}`, template)).toThrow('not JSON');
  });

  test('have the schema of others', () => {
    const tool = { type: 'function', function: { name: 'add' } } as const;
    expect(toolCallSchema([tool], template)).toMatchObject({ required: ['name', 'arguments'] });
  });
});
