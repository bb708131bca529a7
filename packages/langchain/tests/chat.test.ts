// The chat model through LangChain. Answers are compared with those of the library.
import { AIMessage, HumanMessage, SystemMessage, type ToolMessage } from '@langchain/core/messages';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { tool } from '@langchain/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import {
  openChat,
  openHermes,
  openLlama,
  openLong,
} from '../../../tests/web/support/models/small-models.ts';
import { openThinker, thoughts } from '../../../tests/web/support/models/thinking-models.ts';
import { calledText, callToken } from '../../../tests/web/support/models/tool-models.ts';
import { AmbryChat } from '../src/index.ts';

const chat = await forAllTests(openChat());
const hermes = await forAllTests(openHermes());
const llama = await forAllTests(openLlama());

const settings = { maxTokens: 12, temperature: 1, seed: 3 };
const user = { role: 'user', content: 'Hello' };

describe('an answer', () => {
  test('is that of the library, with its usage', async () => {
    const own = await chat.generate({ messages: [user] }, settings).result;
    const answer = await new AmbryChat({ model: chat, settings }).invoke('Hello');
    expect(answer.content).toBe(own.text);
    expect(answer.usage_metadata).toMatchObject({
      input_tokens: own.promptIds.length,
      output_tokens: own.ids.length,
      total_tokens: own.promptIds.length + own.ids.length,
    });
    expect(answer.response_metadata).toEqual({
      finish_reason: own.stoppedBy === 'length' ? 'length' : 'stop',
      seed: 3,
    });
  });

  test('has its reasoning beside the content', async () => {
    const thinker = await openThinker();
    const answer = await new AmbryChat({ model: thinker, settings: thoughts[0].options }).invoke(
      'Hi',
    );
    expect(answer.content).toBe('Yes.');
    expect(answer.additional_kwargs).toEqual({ reasoning_content: 'So it is.' });
    await thinker.dispose();
  });

  test('is streamed, also to callbacks', async () => {
    const own = await chat.generate({ messages: [user] }, settings).result;
    const heard: string[] = [];
    const callbacks = [{ handleLLMNewToken: (token: string) => void heard.push(token) }];
    const pieces: string[] = [];
    const stream = await new AmbryChat({ model: chat, settings, callbacks }).stream('Hello');
    for await (const { text } of stream) {
      pieces.push(text);
    }
    expect(pieces.join('')).toBe(own.text);
    expect(pieces.filter(Boolean).length).toBeGreaterThan(3);
    await expect.poll(() => heard.join(''), { timeout: 50_000 }).toBe(own.text);
  });

  test('is part of a chain', async () => {
    const own = await chat.generate(
      { messages: [{ role: 'system', content: 'Be brief.' }, user] },
      settings,
    ).result;
    const chain = ChatPromptTemplate.fromMessages([
      ['system', 'Be {manner}.'],
      ['human', '{question}'],
    ])
      .pipe(new AmbryChat({ model: chat, settings }))
      .pipe(new StringOutputParser());
    expect(await chain.invoke({ manner: 'brief', question: 'Hello' })).toBe(own.text);
  });

  test('comes for each of a batch', async () => {
    const model = new AmbryChat({ model: chat, settings });
    const questions = ['Hello', 'Who?', 'Why?'];
    const answers = await model.batch(questions);
    for (const [i, content] of questions.entries()) {
      const own = await chat.generate({ messages: [{ role: 'user', content }] }, settings).result;
      expect(answers[i]?.content).toBe(own.text);
    }
  });

  test('takes settings and stop texts of a call', async () => {
    const model = new AmbryChat({ model: chat, settings: { ...settings, seed: 9 } });
    const own = await chat.generate({ messages: [user] }, settings).result;
    const answer = await model.invoke('Hello', { settings: { seed: 3 } });
    expect(answer.content).toBe(own.text);
    const stop = own.text.slice(4, 6);
    const stopped = await model.invoke('Hello', { settings: { seed: 3 }, stop: [stop] });
    expect(stopped.content).toBe(own.text.slice(0, own.text.indexOf(stop)));
  });

  test('ends with its signal, and the model is free', async () => {
    await using long = await openLong();
    const model = new AmbryChat({ model: long, settings: { temperature: 0, ignoreEos: true } });
    const abort = new AbortController();
    const read = async () => {
      let pieces = 0;
      for await (const _ of await model.stream('Hello', { signal: abort.signal })) {
        if (++pieces === 3) {
          abort.abort();
        }
      }
    };
    await expect(read()).rejects.toThrow(/abort/i);
    const next = await model.invoke('Hello', { settings: { maxTokens: 1 } });
    expect(next.usage_metadata?.output_tokens).toBe(1);
  });
});

describe('a schema', () => {
  const schema = z.object({ age: z.int().min(0).max(99), ok: z.boolean() });

  test('is kept to, also in a call with settings', async () => {
    const model = new AmbryChat({ model: chat, settings: { seed: 1 } }).withStructuredOutput(
      schema,
    );
    const answer = await model.invoke('Who?');
    expect(schema.parse(answer)).toEqual(answer);
    const other = await model.invoke('Who?', { settings: { seed: 2 } } as object);
    expect(schema.parse(other)).toEqual(other);
  });

  test('may be JSON, and the message may come with the object', async () => {
    const json = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    };
    const model = new AmbryChat({ model: chat }).withStructuredOutput(json, { includeRaw: true });
    const { raw, parsed } = await model.invoke('Who?');
    expect(parsed).toEqual({ ok: expect.any(Boolean) });
    expect(JSON.parse(raw.text)).toEqual(parsed);
  });

  test('is for the form of the answer only', () => {
    const model = new AmbryChat({ model: chat });
    for (const method of ['functionCalling', 'jsonMode'] as const) {
      expect(() => model.withStructuredOutput(schema, { method })).toThrow(`not by ${method}`);
    }
  });
});

describe('tools', () => {
  const add = tool(({ n }) => n + 1, {
    name: 'add',
    description: 'Adds.',
    schema: z.object({ n: z.int().min(0).max(99) }),
  });
  const called = { logitBias: { [callToken]: 1e5 }, temperature: 0, maxTokens: 1 };

  test('are called, and their results are sent back', async () => {
    const model = new AmbryChat({ model: hermes, settings: called }).bindTools([add]);
    const question = new HumanMessage('Hello');
    const answer = await model.invoke([question]);
    expect(answer.content).toBe(calledText);
    expect(answer.tool_calls).toMatchObject([{ name: 'add', args: { n: 1 }, type: 'tool_call' }]);
    const [call] = answer.tool_calls ?? [];
    if (!call) {
      throw new Error('there is no call');
    }
    const result = await add.invoke(call as never);
    const next = await model.invoke([question, answer, result as ToolMessage]);
    expect(next.usage_metadata?.input_tokens).toBeGreaterThan(
      answer.usage_metadata?.input_tokens ?? 0,
    );
  });

  test('are called in a stream', async () => {
    const model = new AmbryChat({ model: hermes, settings: called }).bindTools([add]);
    let whole: AIMessage | undefined;
    for await (const chunk of await model.stream('Hello')) {
      whole = whole ? ((whole as typeof chunk).concat(chunk) as never) : chunk;
    }
    expect(whole?.tool_calls).toMatchObject([{ name: 'add', args: { n: 1 } }]);
  });

  test.each([
    'any',
    'required',
    'add',
    { type: 'function', function: { name: 'add' } },
  ])('can be required by %j', async (choice) => {
    for (const model of [hermes, llama]) {
      const bound = new AmbryChat({ model, settings: { seed: 1 } }).bindTools([add], {
        tool_choice: choice,
      });
      const { tool_calls: calls, content } = await bound.invoke('Hello');
      expect(calls).toMatchObject([{ name: 'add', args: { n: expect.any(Number) } }]);
      expect(content).toBe('');
    }
  });

  test('do not go with a format, or with a template without calls', async () => {
    const both = new AmbryChat({ model: hermes }).bindTools([add], { format: { regex: 'a' } });
    await expect(both.invoke('Hello')).rejects.toMatchObject({ code: 'BadValue', path: 'format' });
    const plain = new AmbryChat({ model: chat }).bindTools([add]);
    await expect(plain.invoke('Hello')).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'chatTemplate',
    });
  });
});

describe('a message', () => {
  const model = () => new AmbryChat({ model: chat, settings: { maxTokens: 1, seed: 1 } });

  test('may have its text in parts', async () => {
    const messages = [
      new SystemMessage('Be brief.'),
      new HumanMessage({
        content: [
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo' },
        ],
      }),
      new AIMessage('Yes?'),
      new HumanMessage('Well.'),
    ];
    const own = await chat.generate(
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          user,
          { role: 'assistant', content: 'Yes?' },
          { role: 'user', content: 'Well.' },
        ],
      },
      { maxTokens: 1, seed: 1 },
    ).result;
    const answer = await model().invoke(messages);
    expect(answer.usage_metadata?.input_tokens).toBe(own.promptIds.length);
    expect(answer.content).toBe(own.text);
  });

  test('with a picture is refused', async () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,aa' } };
    const messages = [new SystemMessage('a'), new HumanMessage({ content: [picture] })];
    await expect(model().invoke(messages)).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'messages[1]',
    });
  });

  test('that does not fit is refused', async () => {
    const long = model().invoke('a'.repeat(600));
    await expect(long).rejects.toMatchObject({ code: 'LimitExceeded', path: 'prompt' });
  });
});
