// /v1/chat/completions with OpenAI's own client. Answers are compared with those of the library.
import type { GeneratedToken } from 'ambry';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openChat, openLong } from '../../../tests/web/support/models/small-models.ts';
import { endless, generatedTokens, ownAnswer, testServer } from './support/test-server.ts';

const model = await forAllTests(openChat());
const server = await forAllTests(testServer({ chat: model, long: openLong }));
const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });

const hello = [{ role: 'user' as const, content: 'Hello' }];
const options = { seed: 3, temperature: 1.1, top_p: 0.95, max_tokens: 20 };
const ownOptions = { seed: 3, temperature: 1.1, topP: 0.95, maxTokens: 20 };

const ask = (request: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>) =>
  client.chat.completions.create({ model: 'chat', messages: hello, ...request });

describe('an answer', () => {
  test('is that of the library, with its usage', async () => {
    const own = await ownAnswer(model, 'Hello', ownOptions);
    const answer = await ask(options);
    expect(answer).toMatchObject({ object: 'chat.completion', model: 'chat' });
    expect(answer.choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: own.text, refusal: null },
        logprobs: null,
        finish_reason: own.stoppedBy === 'length' ? 'length' : 'stop',
      },
    ]);
    expect(answer.usage).toEqual({
      prompt_tokens: own.promptIds.length,
      completion_tokens: own.ids.length,
      total_tokens: own.promptIds.length + own.ids.length,
    });
  });

  test('is streamed in pieces that add up to it, with the usage at the end', async () => {
    const own = await ownAnswer(model, 'Hello', ownOptions);
    const stream = await client.chat.completions.create({
      model: 'chat',
      messages: hello,
      ...options,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
    }
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe(own.text);
    expect(choices.length).toBeGreaterThan(5);
    const reasons = choices.map((choice) => choice.finish_reason).filter(Boolean);
    expect(reasons).toEqual([own.stoppedBy === 'length' ? 'length' : 'stop']);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: own.promptIds.length, completion_tokens: own.ids.length },
    });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  test('comes n times with further seeds, streamed and at once', async () => {
    const texts: string[] = [];
    for (const seed of [3, 4, 5]) {
      texts.push((await ownAnswer(model, 'Hello', { ...ownOptions, seed })).text);
    }
    const request = { model: 'chat', messages: hello, ...options, n: 3 };
    const whole = await client.chat.completions.create(request);
    expect(whole.choices.map(({ message }) => message.content)).toEqual(texts);
    expect(whole.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    const streamed = ['', '', ''];
    for await (const { choices } of await client.chat.completions.create({
      ...request,
      stream: true,
    })) {
      for (const { index, delta } of choices) {
        streamed[index] += delta.content ?? '';
      }
    }
    expect(streamed).toEqual(texts);
  });

  test('ends before a stop text', async () => {
    const own = await ownAnswer(model, 'Hello', ownOptions);
    const middle = Math.floor(own.text.length / 2);
    const stop = own.text.slice(middle, middle + 2);
    const answer = await ask({ ...options, stop });
    const [choice] = answer.choices;
    expect(choice?.message.content).toBe(own.text.slice(0, own.text.indexOf(stop)));
    expect(choice?.finish_reason).toBe('stop');
  });

  test('has the probabilities of its tokens', async () => {
    const answer = await ask({ ...options, max_tokens: 4, logprobs: true, top_logprobs: 3 });
    const run = model.generate({ messages: hello }, { ...ownOptions, maxTokens: 4, logprobs: 3 });
    const tokens: GeneratedToken[] = [];
    for await (const token of run) {
      tokens.push(token);
    }
    const { logprobs } = answer.choices[0] ?? {};
    expect(logprobs?.content?.map(({ bytes, logprob }) => [bytes, logprob])).toEqual(
      tokens.map(({ bytes, logprob }) => [bytes, logprob]),
    );
    expect(logprobs?.content?.[0]?.top_logprobs.map(({ logprob }) => logprob)).toEqual(
      tokens[0]?.top?.map(({ logprob }) => logprob),
    );
  });

  test('follows penalties and biases', async () => {
    const bias = { 65: 1000 };
    const answer = await ask({
      max_completion_tokens: 3,
      logit_bias: bias,
      frequency_penalty: 1,
      presence_penalty: 1,
    });
    expect(answer.choices[0]?.message.content).toBe('AAA');
  });
});

test('the parts of a message are one text, and a developer is the system', async () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello world' },
  ];
  const own = await model.generate({ messages }, ownOptions).result;
  const answer = await client.chat.completions.create({
    model: 'chat',
    messages: [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello ' },
          { type: 'text', text: 'world' },
        ],
      },
    ],
    ...options,
  });
  expect(answer.choices[0]?.message.content).toBe(own.text);
  expect(answer.usage?.prompt_tokens).toBe(own.promptIds.length);
});

describe('a format', () => {
  const schema = {
    type: 'object',
    properties: { age: { type: 'integer', maximum: 99 }, ok: { type: 'boolean' } },
    required: ['age', 'ok'],
    additionalProperties: false,
  };

  test('of a schema is kept to', async () => {
    const answer = await ask({
      seed: 1,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'person', schema, strict: true },
      },
    });
    const value = JSON.parse(answer.choices[0]?.message.content ?? '');
    expect(Object.keys(value)).toEqual(['age', 'ok']);
    expect(Number.isInteger(value.age)).toBe(true);
    expect(typeof value.ok).toBe('boolean');
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    const own = await ownAnswer(model, 'Hello', { seed: 1, format: { schema }, maxTokens: 500 });
    expect(answer.choices[0]?.message.content).toBe(own.text);
  });

  test('of any JSON object begins one', async () => {
    const answer = await ask({
      seed: 1,
      max_tokens: 8,
      response_format: { type: 'json_object' },
    });
    expect(answer.choices[0]?.message.content).toMatch(/^\{/);
  });

  test('that is no schema of JSON is a bad request', async () => {
    const call = ask({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'a', schema: { type: 'nothing' } },
      },
    });
    await expect(call).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
  });
});

describe('an abort', () => {
  test('ends a streamed answer, and the model is free for the next one', async () => {
    const request = { model: 'long', messages: hello, ...endless, stream: true } as const;
    const stream = await client.chat.completions.create(request);
    let pieces = 0;
    for await (const _ of stream) {
      if (++pieces === 3) {
        break;
      }
    }
    expect(pieces).toBe(3);
    const next = await ask({ model: 'long', max_tokens: 2 });
    expect(next.usage?.completion_tokens).toBeLessThanOrEqual(2);
    expect(await generatedTokens(server, 'long')).toBeLessThan(4000);
  });

  test('ends an answer that is not streamed', async () => {
    const abort = new AbortController();
    const call = client.chat.completions.create(
      { model: 'long', messages: hello, ...endless },
      { signal: abort.signal },
    );
    setTimeout(() => abort.abort(), 200);
    await expect(call).rejects.toThrow(OpenAI.APIUserAbortError);
    const next = await ask({ model: 'long', max_tokens: 2 });
    expect(next.choices).toHaveLength(1);
    expect(await generatedTokens(server, 'long')).toBeLessThan(4000);
  });
});
