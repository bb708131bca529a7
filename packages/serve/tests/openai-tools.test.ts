// Tools in /v1/chat/completions.

import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openChat, openHermes, openLlama } from '../../../tests/web/support/models/small-models.ts';
import { callToken } from '../../../tests/web/support/models/tool-models.ts';
import { testServer } from './support/test-server.ts';

const server = await forAllTests(
  testServer({ hermes: openHermes, llama: openLlama, plain: openChat }),
);
const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });

const parameters = {
  type: 'object',
  properties: { n: { type: 'integer', maximum: 99 } },
  required: ['n'],
  additionalProperties: false,
};
const add = {
  type: 'function' as const,
  function: { name: 'add', description: 'Adds.', parameters },
};
const drop = { type: 'function' as const, function: { name: 'drop', parameters } };
const messages = [{ role: 'user' as const, content: 'Hi' }];
/** Makes the model write a call, as text. */
const callBias = { logit_bias: { [callToken]: 1e5 }, temperature: 0, max_tokens: 1 };

test('a call in an answer is taken from its text', async () => {
  const answer = await client.chat.completions.create({
    model: 'hermes',
    messages,
    tools: [add, drop],
    ...callBias,
  });
  const [choice] = answer.choices;
  expect(choice?.finish_reason).toBe('tool_calls');
  expect(choice?.message.content).toBe('Let me see.');
  expect(choice?.message.tool_calls).toEqual([
    {
      id: expect.stringMatching(/^call_/),
      type: 'function',
      function: { name: 'add', arguments: '{"n":1}' },
    },
  ]);
});

test('streamed, the text comes first and the call after it', async () => {
  const stream = client.chat.completions.stream({
    model: 'hermes',
    messages,
    tools: [add],
    ...callBias,
  });
  const deltas: object[] = [];
  stream.on('chunk', (chunk) => void deltas.push(chunk.choices[0]?.delta ?? {}));
  const { choices } = await stream.finalChatCompletion();
  expect(choices[0]?.message).toMatchObject({
    content: 'Let me see.',
    tool_calls: [{ type: 'function', function: { name: 'add', arguments: '{"n":1}' } }],
  });
  expect(choices[0]?.finish_reason).toBe('tool_calls');
  expect(deltas).toEqual([
    { role: 'assistant', content: '' },
    { content: 'Let me see.' },
    {
      tool_calls: [
        {
          index: 0,
          id: expect.any(String),
          type: 'function',
          function: { name: 'add', arguments: '' },
        },
      ],
    },
    { tool_calls: [{ index: 0, function: { arguments: '{"n":1}' } }] },
    {},
  ]);
});

test('without a call the answer is text', async () => {
  const request = { model: 'hermes', messages, seed: 1, max_tokens: 30, tools: [add] };
  const whole = await client.chat.completions.create(request);
  const text = whole.choices[0]?.message.content ?? '';
  expect(text).not.toBe('');
  expect(whole.choices[0]?.message.tool_calls).toBeUndefined();
  let streamed = '';
  for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) {
    streamed += chunk.choices[0]?.delta.content ?? '';
  }
  expect(streamed).toBe(text);
});

describe.each(['hermes', 'llama'])('a call that is required of %s', (model) => {
  test.each([
    ['any tool', 'required' as const, ['add', 'drop']],
    ['one tool', { type: 'function' as const, function: { name: 'drop' } }, ['drop']],
  ])('is of %s, with arguments by its schema', async (_, choice, names) => {
    const answer = await client.chat.completions.create({
      model,
      messages,
      seed: 2,
      tools: [add, drop],
      tool_choice: choice,
    });
    const [call, ...others] = answer.choices[0]?.message.tool_calls ?? [];
    expect(others).toEqual([]);
    if (call?.type !== 'function') {
      throw new Error('there is no call');
    }
    expect(names).toContain(call.function.name);
    expect(JSON.parse(call.function.arguments)).toEqual({ n: expect.any(Number) });
    expect(answer.choices[0]?.message.content).toBeNull();
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls');
  });

  test('is streamed as a call', async () => {
    const request = { model, messages, seed: 2, tools: [add], tool_choice: 'required' as const };
    const { choices } = await client.chat.completions.stream(request).finalChatCompletion();
    const [call] = choices[0]?.message.tool_calls ?? [];
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual({
      n: expect.any(Number),
    });
    expect(choices[0]?.message.content || null).toBeNull();
  });
});

test('the tools are in the prompt, and with the choice none they are not', async () => {
  const tokens = async (more: object) => {
    const answer = await client.chat.completions.create({
      model: 'hermes',
      messages,
      max_tokens: 1,
      ...more,
    });
    return answer.usage?.prompt_tokens ?? 0;
  };
  const without = await tokens({});
  expect(await tokens({ tools: [add] })).toBe(without + 'Write <tool_call> for add;'.length);
  expect(await tokens({ tools: [add], tool_choice: 'none' })).toBe(without);
});

test('calls and their results can be sent back', async () => {
  const call = {
    id: 'call_1',
    type: 'function' as const,
    function: { name: 'add', arguments: '{"n": 1}' },
  };
  const answer = await client.chat.completions.create({
    model: 'hermes',
    messages: [
      ...messages,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: '2' },
    ],
    tools: [add],
    max_tokens: 1,
  });
  expect(answer.choices).toHaveLength(1);
});

test('an answer can be sent back as it came, or as OpenAI writes it', async () => {
  const tokens = async (message: object) => {
    const answer = await client.chat.completions.create({
      model: 'hermes',
      messages: [...messages, { role: 'assistant', content: 'Yes.', ...message }, ...messages],
      max_tokens: 1,
    });
    return answer.usage?.prompt_tokens;
  };
  const plain = await tokens({});
  expect(await tokens({ refusal: null, tool_calls: [], annotations: [] })).toBe(plain);
  expect(await tokens({ audio: null, function_call: null, tool_calls: null })).toBe(plain);
});

describe('a bad request', () => {
  test.each([
    ['tools for a template without calls', { model: 'plain', tools: [add] }, 'chat_template'],
    [
      'a choice of a tool that is not there',
      { tools: [add], tool_choice: { type: 'function' as const, function: { name: 'x' } } },
      'tool_choice',
    ],
    ['a choice without tools', { tool_choice: 'required' as const }, 'tool_choice'],
    ['tools with probabilities', { tools: [add], logprobs: true }, 'logprobs'],
  ])('%s', async (_, more, param) => {
    const call = client.chat.completions.create({ model: 'hermes', messages, ...more });
    await expect(call).rejects.toMatchObject({ status: 400, param });
  });

  test('arguments of a call that are no JSON', async () => {
    const call = { id: 'a', type: 'function' as const, function: { name: 'add', arguments: '{' } };
    const sent = client.chat.completions.create({
      model: 'hermes',
      messages: [...messages, { role: 'assistant', tool_calls: [call] }],
    });
    await expect(sent).rejects.toMatchObject({
      status: 400,
      param: 'messages[1].tool_calls[0].function.arguments',
    });
  });
});
