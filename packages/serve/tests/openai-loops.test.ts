// The whole loops of real clients at /v1/chat/completions: what they send back is taken.
import {
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openEncoder } from '../../../tests/web/support/models/small-models.ts';
import {
  call,
  lastAnswer,
  openEmoji,
  openThinker,
  openToolUser,
  thought,
} from './support/chain-models.ts';
import { post, testServer } from './support/test-server.ts';

const server = await forAllTests(
  testServer({ tools: openToolUser, thinker: openThinker, emoji: openEmoji, minilm: openEncoder }),
);
const url = `${server.url}/v1/chat/completions`;
const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });
const messages = [{ role: 'user' as const, content: 'Weather?' }];
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const weatherTool = { type: 'function' as const, function: { name: call.name, parameters } };

const ask = async (body: object) => {
  const response = await post(url, { model: 'tools', messages, ...body });
  return { response, body: await response.json() };
};

async function wholeOf(stream: Promise<AsyncIterable<AIMessageChunk>>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await stream) {
    whole = whole ? whole.concat(chunk) : chunk;
  }
  return whole as AIMessageChunk;
}

describe('a loop over tools', () => {
  test.each([
    true,
    false,
  ])('of the official client ends with its answer (stream: %s)', async (stream) => {
    const cities: unknown[] = [];
    const settings = {
      model: 'tools',
      messages,
      tools: [
        {
          type: 'function' as const,
          function: {
            name: call.name,
            description: 'The weather.',
            parameters,
            parse: JSON.parse,
            function: (given: object) => {
              cities.push(given);
              return 'sun';
            },
          },
        },
      ],
    };
    const { chat } = client;
    const runner = stream
      ? chat.completions.runTools({ ...settings, stream: true })
      : chat.completions.runTools(settings);
    expect(await runner.finalContent()).toBe(lastAnswer);
    expect(cities).toEqual([call.arguments]);
  });

  test.each([true, false])('of LangChain does, too (stream: %s)', async (isStream) => {
    const weather = tool(async ({ city }) => `sun in ${city}`, {
      name: call.name,
      description: 'The weather.',
      schema: z.object({ city: z.string() }),
    });
    const model = new ChatOpenAI({
      model: 'tools',
      apiKey: 'none',
      maxRetries: 0,
      configuration: { baseURL: `${server.url}/v1` },
    }).bindTools([weather]);
    const answerTo = (sent: BaseMessage[]) =>
      isStream ? wholeOf(model.stream(sent)) : model.invoke(sent);
    const question = new HumanMessage('Weather?');
    const first = await answerTo([question]);
    const [made] = first.tool_calls ?? [];
    expect(made).toMatchObject({ name: call.name, args: call.arguments });
    const result = await weather.invoke({ ...made, type: 'tool_call' } as never);
    expect(result).toBeInstanceOf(ToolMessage);
    const last = await answerTo([question, first, result as ToolMessage]);
    expect(last.content).toBe(lastAnswer);
  });

  test('takes messages as other programs shape them', async () => {
    const made = {
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    };
    const answerTo = async (assistant: object, result: object) => {
      const sent = [
        ...messages,
        { role: 'assistant', ...assistant },
        { role: 'tool', content: 'sun', ...result },
      ];
      return (await ask({ messages: sent, tools: [weatherTool] })).body.choices[0].message.content;
    };
    const result = { tool_call_id: 'call_1' };
    // The index of a streamed part, and the name of the tool.
    expect(await answerTo({ tool_calls: [made] }, { ...result, name: call.name })).toBe(lastAnswer);
    expect(
      await answerTo(
        { content: null, tool_calls: [{ ...made, id: null }] },
        { tool_call_id: null },
      ),
    ).toBe(lastAnswer);
    const asObject = { ...made, function: { ...made.function, arguments: call.arguments } };
    expect(await answerTo({ content: '', tool_calls: [asObject] }, result)).toBe(lastAnswer);
    const parts = [{ type: 'text', text: 'sun' }];
    expect(
      await answerTo(
        { reasoning_content: 'Hm.', tool_calls: [made] },
        { ...result, content: parts },
      ),
    ).toBe(lastAnswer);
  });

  test('may have a format for the answer that calls nothing', async () => {
    const schema = {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/tree' } },
      required: ['tree'],
      additionalProperties: false,
      $defs: { tree: { type: 'string', enum: ['oak'] } },
    };
    const response_format = { type: 'json_schema', json_schema: { name: 'tree', schema } };
    // By chance a model may write spaces until it is cut off.
    const { body } = await ask({ tools: [weatherTool], response_format, seed: 1, max_tokens: 200 });
    const [choice] = body.choices;
    if (choice.message.tool_calls) {
      expect(choice.message.tool_calls[0].function.name).toBe(call.name);
    } else {
      expect(JSON.parse(choice.message.content)).toEqual({ tree: 'oak' });
    }
    const other = await ask({
      tools: [weatherTool],
      tool_choice: 'none',
      response_format,
      seed: 1,
    });
    expect(JSON.parse(other.body.choices[0].message.content)).toEqual({ tree: 'oak' });
  });
});

describe('thinking', () => {
  test('comes apart from the answer, at once and streamed', async () => {
    const { body } = await ask({ model: 'thinker' });
    expect(body.choices[0].message).toMatchObject({ content: 'Yes.', reasoning_content: thought });
    expect(body.usage.completion_tokens_details).toEqual({ reasoning_tokens: 5 });
    const stream = await client.chat.completions.create({
      model: 'thinker',
      messages,
      stream: true,
    });
    let [content, reasoning] = ['', ''];
    for await (const { choices } of stream) {
      const delta = choices[0]?.delta as { content?: string; reasoning_content?: string };
      content += delta.content ?? '';
      reasoning += delta.reasoning_content ?? '';
    }
    expect([content, reasoning]).toEqual(['Yes.', thought]);
  });

  test.each([
    [{ reasoning_effort: 'none' }],
    [{ chat_template_kwargs: { enable_thinking: false } }],
    [{ thinking: { type: 'disabled' } }],
    [{ enable_thinking: false }],
  ])('can be turned off by %j', async (more) => {
    const { body } = await ask({ model: 'thinker', ...more });
    expect(body.choices[0].message.content).toBe('No');
    expect(body.choices[0].message.reasoning_content).toBeUndefined();
  });

  test('has no place in the probabilities of the answer', async () => {
    const { body } = await ask({ model: 'thinker', logprobs: true });
    const tokens = body.choices[0].logprobs.content.map((entry: { token: string }) => entry.token);
    expect(tokens.join('').trim()).toBe('Yes.');
  });
});

describe('probabilities', () => {
  test('name tokens by their text, with their bytes', async () => {
    const { body } = await ask({ model: 'emoji', logprobs: true, top_logprobs: 1 });
    const { content } = body.choices[0].logprobs as {
      content: {
        token: string;
        bytes: number[];
        top_logprobs: { token: string; bytes: number[] }[];
      }[];
    };
    expect(content.slice(0, 2).map(({ token }) => token)).toEqual(['Hello', ' world']);
    for (const { token, bytes, top_logprobs } of content) {
      expect(top_logprobs[0]).toMatchObject({ token, bytes });
    }
    expect(content.slice(2, 6).map(({ token }) => token)).toEqual(
      ['f0', '9f', '98', '80'].map((byte) => `bytes:\\x${byte}`),
    );
    const bytes = content.flatMap((entry) => entry.bytes);
    expect(Buffer.from(bytes).toString()).toBe('Hello world😀');
    expect(body.choices[0].message.content).toBe('Hello world😀');
  });

  test('of /v1/completions are named alike', async () => {
    const response = await post(`${server.url}/v1/completions`, {
      model: 'emoji',
      prompt: 'Hi:',
      logprobs: 1,
      max_tokens: 2,
    });
    const { choices } = await response.json();
    expect(choices[0].logprobs.top_logprobs.map(Object.keys)).toEqual([['Hello'], [' world']]);
  });
});

describe('fields', () => {
  const nothing = [
    { max_tokens: -1 },
    { seed: -1 },
    { stop: [] },
    { stop: '' },
    { logit_bias: [] },
    { top_k: -1 },
    { store: true },
    { service_tier: 'flex' },
    { verbosity: 'low' },
    { prompt_cache_retention: '24h' },
    { stream_options: { include_usage: true, include_obfuscation: false } },
    { functions: [] },
    { tools: [] },
    { repeat_penalty: 1 },
  ];

  test.each(nothing)('%j change nothing', async (more) => {
    const { response, body } = await ask({ model: 'emoji', ...more });
    expect(body.choices?.[0].message.content).toBe('Hello world😀');
    expect(response.headers.get('ambry-unknown-fields')).toBeNull();
  });

  test('may ask for JSON with a schema beside it', async () => {
    const schema = { type: 'object', properties: { a: { const: 1 } }, required: ['a'] };
    const { body } = await ask({ response_format: { type: 'json_object', schema } });
    expect(JSON.parse(body.choices[0].message.content)).toMatchObject({ a: 1 });
  });
});

test('LangChain embeds texts', async () => {
  const embeddings = new OpenAIEmbeddings({
    model: 'minilm',
    apiKey: 'none',
    configuration: { baseURL: `${server.url}/v1` },
  });
  const [first, second] = await embeddings.embedDocuments(['the cat', 'a dog']);
  expect(first).toHaveLength(second?.length ?? 0);
  expect(await embeddings.embedQuery('the cat')).toHaveLength(first?.length ?? 0);
});
