// Requests through the server, with OpenAI's client, and through ambry-openai have the same answers.
import { openai } from 'ambry-openai';
import OpenAI from 'openai';
import { afterAll, describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import {
  openChat,
  openEncoder,
  openLlama,
} from '../../../tests/web/support/models/small-models.ts';
import { call, openThinker, openToolUser, thought } from './support/chain-models.ts';
import { testServer } from './support/test-server.ts';

const models = {
  chat: await forAllTests(openChat()),
  llama: await forAllTests(openLlama()),
  user: await forAllTests(openToolUser()),
  thinker: await forAllTests(openThinker()),
  minilm: await forAllTests(openEncoder()),
};
const server = await testServer(models);
afterAll(() => server.close());
const remote = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });
const local = openai(models);

const own = new Set(['id', 'created', 'created_at', 'item_id', 'call_id']);

/** Without ids and times, and without pieces of the stream that only a clock divides. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, part) => (own.has(name) && part !== null ? typeof part : part)),
  );
}

async function all(chunks: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const chunk of chunks) {
    found.push(chunk);
  }
  return found;
}

const messages = [{ role: 'user' as const, content: 'Hi' }];
const few = { seed: 3, max_tokens: 8 };
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tool = {
  type: 'function' as const,
  function: { name: call.name, description: 'The weather', parameters },
};
const schema = { type: 'object', properties: { a: { enum: [1, 2] } }, required: ['a'] };

const chats = {
  'a chat': { model: 'chat', messages, ...few },
  'several answers': { model: 'chat', messages, ...few, n: 2 },
  probabilities: { model: 'chat', messages, ...few, logprobs: true, top_logprobs: 2 },
  tools: { model: 'user', messages, tools: [tool], ...few },
  'the result of a tool': {
    model: 'user',
    messages: [
      ...messages,
      {
        role: 'assistant',
        tool_calls: [
          {
            id: 'a',
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(call.arguments) },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Sun' },
    ],
    tools: [tool],
    ...few,
  },
  'a tool that must be called': {
    model: 'llama',
    messages,
    tools: [tool],
    tool_choice: 'required',
    seed: 1,
    max_tokens: 300,
  },
  'a structured output': {
    model: 'chat',
    messages,
    seed: 1,
    max_tokens: 200,
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
  },
  reasoning: { model: 'thinker', messages, max_tokens: 20 },
} as unknown as Record<string, OpenAI.ChatCompletionCreateParamsNonStreaming>;

describe('chat.completions.create gives the same answer', () => {
  test.each(Object.entries(chats))('for %s', async (_, body) => {
    const expected = await remote.chat.completions.create(body);
    const answer = await local.chat.completions.create(body);
    expect(comparable(answer)).toEqual(comparable(expected));
  });

  test.each(Object.entries(chats))('as a stream for %s', async (_, body) => {
    const streamed = { ...body, stream: true as const, stream_options: { include_usage: true } };
    const expected = await all(await remote.chat.completions.create(streamed));
    const chunks = await all(await local.chat.completions.create(streamed));
    expect(comparable(chunks)).toEqual(comparable(expected));
    expect(chunks.length).toBeGreaterThan(3);
  });
});

const responses = {
  'a text': { model: 'chat', input: 'Hi', seed: 3, max_output_tokens: 8 },
  instructions: {
    model: 'chat',
    input: 'Hi',
    instructions: 'Be brief.',
    max_output_tokens: 3,
    seed: 1,
  },
  tools: {
    model: 'user',
    input: 'Hi',
    tools: [{ type: 'function', name: call.name, parameters, strict: false }],
  },
  reasoning: { model: 'thinker', input: 'Hi' },
} as unknown as Record<string, OpenAI.Responses.ResponseCreateParamsNonStreaming>;

describe('responses.create gives the same answer', () => {
  test.each(Object.entries(responses))('for %s', async (_, body) => {
    const expected = await remote.responses.create(body);
    expect(comparable(await local.responses.create(body))).toEqual(comparable(expected));
  });

  test.each(Object.entries(responses))('as a stream for %s', async (_, body) => {
    const streamed = { ...body, stream: true as const };
    const expected = await all(await remote.responses.create(streamed));
    const events = await all(await local.responses.create(streamed));
    expect(comparable(events)).toEqual(comparable(expected));
  });

  test('and goes on from an earlier one', async () => {
    const first = await local.responses.create({ model: 'thinker', input: 'Hi' });
    expect(JSON.stringify(first.output)).toContain(thought);
    const next = { model: 'thinker', input: 'Sure?', previous_response_id: first.id };
    const second = await local.responses.create(next);
    expect(second.usage?.input_tokens).toBeGreaterThan(first.usage?.input_tokens ?? Infinity);
  });
});

describe('embeddings.create gives the same vectors', () => {
  test.each([
    ['of a text', { input: 'the cat' }],
    ['of several texts', { input: ['the cat', 'a dog'] }],
    ['of ids', { input: [7, 8, 9] }],
    ['with fewer dimensions', { input: 'the cat', dimensions: 4 }],
    ['as floats', { input: 'the cat', encoding_format: 'float' as const }],
    ['as base64', { input: ['the cat', 'a dog'], encoding_format: 'base64' as const }],
  ])('%s', async (_, given) => {
    // Without a format OpenAI's client asks for base64 and decodes it.
    const body = { encoding_format: 'float' as const, ...given, model: 'minilm' };
    const expected = await remote.embeddings.create(body);
    expect(await local.embeddings.create(body)).toEqual(expected);
  });
});

test('wrong requests have the same errors', async () => {
  const wrong = [
    { model: 'none', messages },
    { model: 'minilm', messages },
    { model: 'chat', messages: [] },
    { model: 'chat', messages, temperature: 'hot' },
    { model: 'chat', messages, tools: [tool] },
    { model: 'chat', messages: [{ role: 'user', content: 'a'.repeat(600) }] },
    {
      model: 'llama',
      messages,
      tools: [tool],
      tool_choice: { type: 'function', function: { name: 'x' } },
    },
  ] as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming[];
  for (const body of wrong) {
    const expected = (await remote.chat.completions
      .create(body)
      .catch((error: unknown) => error)) as InstanceType<typeof OpenAI.APIError>;
    const { status, code, param, type, error } = expected;
    const failed = local.chat.completions.create(body);
    await expect(failed).rejects.toMatchObject({ status, code, param, type, error });
  }
});
