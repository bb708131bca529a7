// What the model sees of a conversation, and what the session of the package keeps of it.
import type { ChatMessage, Generator, SessionOptions } from 'ambry';
import { describe, expect, it } from 'vitest';
import { prettyJson } from '../../../../web/demo/chat/markdown/pretty-json.ts';
import { contextLine } from '../../../../web/demo/chat/panels/context-view.ts';
import { KeptSession } from '../../../../web/demo/chat/run/kept-session.ts';
import { messagesOf, withDropped } from '../../../../web/demo/chat/run/messages.ts';
import type { Turn } from '../../../../web/demo/chat/state/state.ts';

const turn = (from: Turn['from'], text: string): Turn => ({ from, text, tokens: [] });
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });

describe('the messages', () => {
  it('begin with the system prompt if there is one', () => {
    expect(messagesOf('Be brief.', [turn('user', 'a')])).toEqual([
      { role: 'system', content: 'Be brief.' },
      user('a'),
    ]);
    expect(messagesOf(' ', [])).toEqual([]);
  });

  it('leave out what was never answered and what was dropped', () => {
    const turns = [turn('user', 'a'), turn('user', 'b'), turn('model', 'c'), turn('user', 'd')];
    expect(messagesOf('', turns)).toEqual([user('b'), assistant('c'), user('d')]);
    const dropped = withDropped(turns, 2);
    expect(dropped.map(({ isDropped }) => isDropped)).toEqual([undefined, true, true, undefined]);
    expect(messagesOf('', dropped)).toEqual([user('a'), user('d')].slice(1));
  });
});

/** A model whose sessions hold messages only. `made` has the messages of each at its start. */
function modelOf() {
  const made: (readonly ChatMessage[])[] = [];
  const session = ({ messages = [] }: SessionOptions) => {
    made.push(messages);
    return {
      messages: [...messages],
      async rewind(count: number) {
        this.messages = this.messages.slice(0, this.messages.length - count);
      },
      dispose: () => Promise.resolve(),
    };
  };
  return { model: { session } as unknown as Generator, made };
}

describe('a kept session', () => {
  const said = [user('a'), assistant('b'), user('c'), assistant('d')];

  it('is rewound for another answer and for an edited message', async () => {
    const { model, made } = modelOf();
    const kept = new KeptSession();
    const first = await kept.at({ model, messages: said, trim: 'error' });
    const again = await kept.at({ model, messages: said.slice(0, 2), trim: 'error' });
    expect(again).toBe(first);
    expect(again.messages).toEqual(said.slice(0, 2));
    expect((await kept.at({ model, messages: [], trim: 'error' })).messages).toEqual([]);
    expect(made).toHaveLength(1);
  });

  it('stays where the page shows an answer without its reasoning', async () => {
    const { model } = modelOf();
    const kept = new KeptSession();
    const written = [user('a'), assistant('<think>So.</think>b')];
    const first = await kept.at({ model, messages: written, trim: 'error' });
    const again = await kept.at({ model, messages: [user('a'), assistant('b')], trim: 'error' });
    expect(again).toBe(first);
    expect(again.messages).toEqual(written);
  });

  it('is made anew for other messages, another policy and another model', async () => {
    const { model, made } = modelOf();
    const other = modelOf();
    const kept = new KeptSession();
    await kept.at({ model, messages: said, trim: 'error' });
    await kept.at({ model, messages: [{ role: 'system', content: 'x' }, ...said], trim: 'error' });
    await kept.at({ model, messages: said, trim: 'error' });
    await kept.at({ model, messages: said, trim: 'oldest' });
    await kept.at({ model: other.model, messages: said, trim: 'oldest' });
    expect(made).toHaveLength(4);
    expect(other.made).toEqual([said]);
  });
});

describe('JSON on several lines', () => {
  it('keeps numbers and texts as they are written', () => {
    const text = '{"a": 12345678901234567890,"b":[1.0,{"c":"x, {y}: \\"z\\""}],"d":[],"e":{ }}';
    expect(prettyJson(text)).toBe(
      '{\n  "a": 12345678901234567890,\n  "b": [\n    1.0,\n    {\n      "c": "x, {y}: \\"z\\""\n    }\n  ],\n  "d": [],\n  "e": {}\n}',
    );
  });

  it('is made of whole objects and lists only', () => {
    for (const text of ['', '12', '"a"', 'null', '{"a":', 'text {}', '[1] and more']) {
      expect(prettyJson(text)).toBeNull();
    }
    expect(prettyJson('['.repeat(60) + ']'.repeat(60))).toBeNull();
  });
});

it('the context is told by its parts in a chat', () => {
  const use = { system: 5, history: 1200, draft: 0 };
  expect(contextLine(use, 4096, true)).toBe(
    '1,205 of 4,096 tokens of context: system prompt 5, conversation 1,200',
  );
  expect(contextLine(use, 4096, false)).toBe('1,205 of 4,096 tokens of context');
});
