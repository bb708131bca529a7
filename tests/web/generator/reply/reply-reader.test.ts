// The tokens and the whole of a reply, however the model's text is cut into tokens.
import { describe, expect, test } from 'vitest';
import type { WireGeneration, WireToken } from '../../../../web/src/generator/base/protocol.ts';
import { ReplyReader } from '../../../../web/src/generator/reply/reply-reader.ts';
import { toolPlan } from '../../../../web/src/generator/reply/tool-plan.ts';
import { ToolText } from '../../../../web/src/generator/reply/tool-text.ts';

const tools = [{ type: 'function', function: { name: 'add' } }] as const;
const template = 'Write <tool_call>';
const call = '<tool_call>{"name": "add", "arguments": {"n": 1}}</tool_call>';
const calls = [{ name: 'add', arguments: { n: 1 } }];

function readerWith(prompt: string | undefined, hasTools: boolean): ReplyReader {
  const plan = toolPlan({ tools, choice: 'auto', template, format: undefined, path: 'prompt' });
  return new ReplyReader({ prompt, tools: hasTools ? new ToolText(plan) : undefined });
}

/** The shown tokens and the whole. The reader sees the first `seen` pieces before the end. */
function read(reader: ReplyReader, pieces: readonly string[], seen = pieces.length) {
  const shown = pieces
    .slice(0, seen)
    .flatMap((text, index) => reader.add({ index, id: index, text } as WireToken));
  const whole = reader.end({ text: pieces.join('') } as WireGeneration);
  return { shown: [...shown, ...whole.tokens], whole };
}

const joined = (tokens: readonly WireToken[], part: 'text' | 'reasoning') =>
  tokens.map((token) => token[part] ?? '').join('');

describe('a reply', () => {
  test.each([
    ['text', 'Hello there.', 'Hello there.', '', []],
    ['reasoning and text', '<think>\nSo it is.\n</think>\n\nYes.', 'Yes.', 'So it is.', []],
    ['a call', call, '', '', calls],
    ['text and a call', `Let me see.\n${call}`, 'Let me see.', '', calls],
    ['all of it', `<think>Sum.</think>Let me see. ${call}`, 'Let me see.', 'Sum.', calls],
    ['a call that is cut', call.slice(0, 30), call.slice(0, 30), '', []],
    ['what looks like a mark', 'a <tool or <thi', 'a <tool or <thi', '', []],
    ['reasoning that is cut', '<think>So it </thi', '', 'So it </thi', []],
    ['nothing', '', '', '', []],
  ] as const)('has its parts: %s', (_, written, text, reasoning, toolCalls) => {
    for (let size = 1; size <= written.length + 1; size++) {
      const pieces = written.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const { shown, whole } = read(readerWith('', true), pieces);
      expect(whole).toMatchObject({ text, reasoning, toolCalls });
      expect(joined(shown, 'text')).toBe(text);
      expect(joined(shown, 'reasoning')).toBe(reasoning);
      expect(shown.map(({ index }) => index)).toEqual([...pieces.keys()]);
    }
  });

  test('has its last tokens, also if its reader left before they came', () => {
    const pieces = ['<think>', 'So', '</think>', 'Yes', ' it is.'];
    for (let seen = 0; seen <= pieces.length; seen++) {
      const { whole } = read(readerWith('', true), pieces, seen);
      expect(whole).toMatchObject({ text: 'Yes it is.', reasoning: 'So' });
    }
  });

  test('shows its tokens as soon as their part is clear', () => {
    const reader = readerWith('user: Hi\n<think>', true);
    const add = (text: string) => reader.add({ index: 0, id: 0, text } as WireToken);
    expect(add('So')).toMatchObject([{ text: '', reasoning: 'So' }]);
    expect(add('</think>')).toMatchObject([{ text: '', reasoning: '' }]);
    expect(add('Yes')).toEqual([{ index: 0, id: 0, text: 'Yes' }]);
    expect(add(' <tool')).toEqual([]);
    expect(add('s>')).toEqual([
      { index: 0, id: 0, text: '' },
      { index: 0, id: 0, text: ' <tools>' },
    ]);
  });

  test('without reasoning or tools is what the model wrote', () => {
    const { whole } = read(readerWith(undefined, false), ['<think>', `a</think>${call}`]);
    expect(whole).toMatchObject({
      text: `<think>a</think>${call}`,
      reasoning: '',
      toolCalls: [],
    });
  });
});
