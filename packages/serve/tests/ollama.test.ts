// Ollama's interface with its own client.
import { Ollama } from 'ollama';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import {
  openCaller,
  openChat,
  openEncoder,
  openLong,
} from '../../../tests/web/support/small-models.ts';
import { generatedTokens, ownAnswer, post, testServer } from './support/test-server.ts';

const model = await forAllTests(openChat());
const encoder = await forAllTests(openEncoder());
const server = await forAllTests(
  testServer({ chat: model, minilm: encoder, caller: openCaller, long: openLong }),
);
const client = new Ollama({ host: server.url });

const messages = [{ role: 'user', content: 'Hello' }];
const options = {
  seed: 3,
  num_predict: 12,
  temperature: 1,
  top_k: 50,
  top_p: 0.95,
  min_p: 0.01,
  repeat_penalty: 1.1,
  num_ctx: 256,
};
const ownOptions = {
  seed: 3,
  maxTokens: 12,
  temperature: 1,
  topK: 50,
  topP: 0.95,
  minP: 0.01,
  repetitionPenalty: 1.1,
};

describe('/api/chat', () => {
  test('gives the answer of the library, with its counts', async () => {
    const own = await ownAnswer(model, 'Hello', ownOptions);
    const answer = await client.chat({ model: 'chat', messages, options, stream: false });
    expect(answer).toMatchObject({
      model: 'chat',
      message: { role: 'assistant', content: own.text },
      done: true,
      done_reason: own.stop === 'length' ? 'length' : 'stop',
      prompt_eval_count: own.promptIds.length,
      eval_count: own.ids.length,
    });
    expect(answer.total_duration).toBeGreaterThan(0);
  });

  test('streams lines unless it is told not to', async () => {
    const own = await ownAnswer(model, 'Hello', ownOptions);
    const response = await post(`${server.url}/api/chat`, {
      model: 'chat:latest',
      messages,
      options,
    });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.map(({ message }) => message.content).join('')).toBe(own.text);
    expect(lines.map(({ done }) => done)).toEqual([...lines.slice(1).map(() => false), true]);
    let text = '';
    for await (const part of await client.chat({
      model: 'chat',
      messages,
      options,
      stream: true,
    })) {
      text += part.message.content;
    }
    expect(text).toBe(own.text);
  });

  test('keeps to a schema, and to JSON', async () => {
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    };
    const answer = await client.chat({ model: 'chat', messages, format: schema });
    expect(JSON.parse(answer.message.content)).toEqual({ ok: expect.any(Boolean) });
    const json = await client.chat({
      model: 'chat',
      messages,
      format: 'json',
      options: { num_predict: 4 },
    });
    expect(json.message.content).toMatch(/^\{/);
  });

  test('takes calls of tools from the text, and results back', async () => {
    const tools = [
      {
        type: 'function',
        function: {
          name: 'add',
          description: 'Adds.',
          parameters: { type: 'object', properties: { n: { type: 'integer' } } },
        },
      },
    ];
    const call = { function: { name: 'add', arguments: { n: 1 } } };
    const ask = (seed: number) =>
      client.chat({
        model: 'caller',
        messages: [
          ...messages,
          { role: 'assistant', content: '', tool_calls: [call] },
          { role: 'tool', content: '2', tool_name: 'add' },
        ],
        tools,
        options: { num_predict: 1, temperature: 100, top_p: 1, seed },
      });
    // One answer in seventeen begins with another token.
    let answer = await ask(1);
    for (let seed = 2; !answer.message.tool_calls && seed < 20; seed++) {
      answer = await ask(seed);
    }
    expect(answer.message).toEqual({
      role: 'assistant',
      content: 'Let me see.',
      tool_calls: [call],
    });
  });

  test('ends with the client', async () => {
    const stream = await client.chat({
      model: 'long',
      messages,
      stream: true,
      options: { temperature: 0 },
    });
    let pieces = 0;
    const read = async () => {
      for await (const _ of stream) {
        if (++pieces === 2) {
          stream.abort();
        }
      }
    };
    await expect(read()).rejects.toThrow(/abort/i);
    await client.chat({ model: 'long', messages, options: { num_predict: 1 } });
    expect(await generatedTokens(server, 'long')).toBeLessThan(4000);
  });

  test.each([
    ['an option that is unknown', { options: { num_gpu: 1 } }, 'options.num_gpu'],
    ['an answer without tokens', { options: { num_predict: 0 } }, 'options.num_predict'],
    ['a context that is too large', { options: { num_ctx: 100_000 } }, 'options.num_ctx'],
    [
      'an image',
      { messages: [{ role: 'user', content: 'a', images: ['aGk='] }] },
      'messages[0].images',
    ],
    ['thinking', { think: true }, 'think'],
    [
      'a role that is unknown',
      { messages: [{ role: 'pirate', content: 'a' }] },
      'messages[0].role',
    ],
    ['a field that is unknown', { tool: [] }, 'tool'],
    ['an encoder', { model: 'minilm' }, 'model'],
  ])('refuses %s', async (_, more, place) => {
    const response = await post(`${server.url}/api/chat`, { model: 'chat', messages, ...more });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toContain(`${place}: `);
  });

  test('says that there is no such model', async () => {
    const call = client.chat({ model: 'other', messages });
    await expect(call).rejects.toMatchObject({
      status_code: 404,
      message: expect.stringContaining('There is no model'),
    });
  });
});

describe('/api/generate', () => {
  test('asks a model for conversations, and continues a raw text', async () => {
    const asked = await client.generate({ model: 'chat', prompt: 'Hello', options, stream: false });
    expect(asked.response).toBe((await ownAnswer(model, 'Hello', ownOptions)).text);
    const raw = await client.generate({
      model: 'chat',
      prompt: 'Hello',
      raw: true,
      options,
      stream: false,
    });
    const own = await model.generate('Hello', ownOptions).result;
    expect(raw.response).toBe(own.text);
    expect(raw.prompt_eval_count).toBe(own.promptIds.length);
  });
});

describe('/api/embed', () => {
  test('gives the vectors of the library', async () => {
    const answer = await client.embed({ model: 'minilm', input: ['the cat', 'a dog'] });
    const own = await encoder.embed(['the cat', 'a dog']);
    expect(answer.embeddings.flat().map(Math.fround)).toEqual([...own]);
    expect(answer.prompt_eval_count).toBe(4);
    const one = await client.embed({ model: 'minilm', input: 'the cat', dimensions: 8 });
    expect(one.embeddings[0]?.map(Math.fround)).toEqual([
      ...(await encoder.embed('the cat', { dim: 8 })),
    ]);
  });

  test('refuses texts that are too long if they may not be cut', async () => {
    const long = 'the '.repeat(5000);
    await client.embed({ model: 'minilm', input: long });
    const call = client.embed({ model: 'minilm', input: long, truncate: false });
    await expect(call).rejects.toMatchObject({ status_code: 400 });
  });
});

test('models are listed and described', async () => {
  const { models } = await client.list();
  expect(models.map(({ name }) => name)).toEqual(['chat', 'minilm', 'caller', 'long']);
  expect(models[0]?.details).toMatchObject({
    format: 'amb',
    family: 'llama',
    quantization_level: 'f32',
  });
  const shown = await client.show({ model: 'chat' });
  expect(shown.template).toBe(model.chatTemplate);
  expect(shown.capabilities).toEqual(['completion']);
  expect((await client.show({ model: 'caller' })).capabilities).toEqual(['completion', 'tools']);
  expect((await client.show({ model: 'minilm' })).capabilities).toEqual(['embedding']);
  expect((await client.version()).version).toMatch(/^\d+\.\d+\.\d+$/);
});
