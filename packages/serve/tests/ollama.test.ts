// Ollama's interface with its own client.
import { Ollama } from 'ollama';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import {
  openCaller,
  openChat,
  openEncoder,
  openLong,
} from '../../../tests/web/support/models/small-models.ts';
import { openThinker, thought } from './support/chain-models.ts';
import { generatedTokens, ownAnswer, post, testServer } from './support/test-server.ts';

const model = await forAllTests(openChat());
const encoder = await forAllTests(openEncoder());
const server = await forAllTests(
  testServer({
    chat: model,
    minilm: encoder,
    caller: openCaller,
    long: openLong,
    thinker: openThinker,
  }),
);
const names = ['chat', 'minilm', 'caller', 'long', 'thinker'];
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
      done_reason: own.stoppedBy === 'length' ? 'length' : 'stop',
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
    ['an option that is none', { options: { temperature: 'hot' } }, 'options.temperature'],
    ['tail-free sampling', { options: { tfs_z: 0.5 } }, 'options.tfs_z'],
    [
      'an image',
      { messages: [{ role: 'user', content: 'a', images: ['aGk='] }] },
      'messages[0].images',
    ],
    [
      'a role that is unknown',
      { messages: [{ role: 'pirate', content: 'a' }] },
      'messages[0].role',
    ],
    ['an encoder', { model: 'minilm' }, 'model'],
  ])('refuses %s', async (_, more, place) => {
    const response = await post(`${server.url}/api/chat`, { model: 'chat', messages, ...more });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toContain(`${place}: `);
  });

  test.each([
    {
      options: {
        ...options,
        num_ctx: 100_000,
        num_thread: 4,
        num_gpu: 0,
        num_batch: 512,
        num_keep: 5,
      },
    },
    { options: { ...options, tfs_z: 1, use_mmap: true, mirostat: 0 } },
    { options: { ...options, stop: [] }, think: null },
    { options, think: true, keep_alive: '5m', format: '' },
    { options, messages: [{ role: 'user', content: 'Hello', images: [] }] },
  ])('takes what changes nothing: %j', async (more) => {
    const own = await ownAnswer(model, 'Hello', ownOptions);
    const body = { model: 'chat', messages, stream: false, ...more };
    const response = await post(`${server.url}/api/chat`, body);
    expect(response.headers.get('ambry-unknown-fields')).toBeNull();
    expect((await response.json()).message?.content).toBe(own.text);
  });

  test('takes negative numbers for no limit and a random seed', async () => {
    const answer = await client.chat({
      model: 'chat',
      messages,
      options: { num_predict: -1, seed: -1, top_k: -1 },
    });
    expect(answer.eval_count).toBeGreaterThan(0);
  });

  test('loads a model without messages', async () => {
    for (const more of [{}, { messages: [] }]) {
      const { message, done, done_reason } = await client.chat({ model: 'chat', ...more });
      expect([message, done, done_reason]).toEqual([
        { role: 'assistant', content: '' },
        true,
        'load',
      ]);
    }
    const { done_reason } = await client.chat({ model: 'chat', keep_alive: 0 });
    expect(done_reason).toBe('unload');
  });

  test('takes messages without content, and thinking of earlier answers', async () => {
    const response = await post(`${server.url}/api/chat`, {
      model: 'caller',
      stream: false,
      options: { num_predict: 1 },
      messages: [
        ...messages,
        {
          role: 'assistant',
          content: null,
          thinking: 'Hm.',
          tool_calls: [{ id: null, function: { name: 'add', arguments: '{"n": 1}' } }],
        },
        { role: 'tool', content: '2', name: 'add', tool_call_id: 'call_1' },
      ],
    });
    expect(response.status).toBe(200);
  });

  test('has thinking apart from the answer, and turns it off', async () => {
    const ask = (more: object) => client.chat({ model: 'thinker', messages, ...more });
    const { message } = await ask({ think: true });
    expect(message).toEqual({ role: 'assistant', content: 'Yes.', thinking: thought });
    expect((await ask({ think: false })).message).toEqual({ role: 'assistant', content: 'No' });
    let [content, thinking] = ['', ''];
    for await (const part of await client.chat({ model: 'thinker', messages, stream: true })) {
      content += part.message.content;
      thinking += part.message.thinking ?? '';
    }
    expect([content, thinking]).toEqual(['Yes.', thought]);
    const generated = await client.generate({ model: 'thinker', prompt: 'Hi', think: true });
    expect(generated).toMatchObject({ response: 'Yes.', thinking: thought });
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

test('/api/generate loads a model without a prompt', async () => {
  const answer = await client.generate({ model: 'chat' } as never);
  expect(answer).toMatchObject({ response: '', done: true, done_reason: 'load' });
});

describe('/api/embed', () => {
  test('gives the vectors of the library', async () => {
    const answer = await client.embed({ model: 'minilm', input: ['the cat', 'a dog'] });
    const own = await encoder.embed(['the cat', 'a dog']);
    expect(answer.embeddings.map((row) => Float32Array.from(row))).toEqual(own);
    expect(answer.prompt_eval_count).toBe(4);
    const one = await client.embed({ model: 'minilm', input: 'the cat', dimensions: 8 });
    expect(one.embeddings[0]?.map(Math.fround)).toEqual([
      ...(await encoder.embed('the cat', { dim: 8 })),
    ]);
  });

  test('takes no texts, and options of language models', async () => {
    expect((await client.embed({ model: 'minilm', input: [] })).embeddings).toEqual([]);
    const { embeddings } = await client.embed({
      model: 'minilm',
      input: 'the cat',
      options: { num_ctx: 8192 },
      keep_alive: '5m',
    });
    expect(embeddings).toHaveLength(1);
  });

  test('gives older clients one vector', async () => {
    const { embedding } = await client.embeddings({ model: 'minilm', prompt: 'the cat' });
    expect(embedding.map(Math.fround)).toEqual([...(await encoder.embed('the cat'))]);
  });

  test('refuses texts that are too long if they may not be cut', async () => {
    const long = 'the '.repeat(5000);
    await client.embed({ model: 'minilm', input: long });
    const call = client.embed({ model: 'minilm', input: long, truncate: false });
    await expect(call).rejects.toMatchObject({ status_code: 400 });
  });
});

test('a program that looks for a server finds it', async () => {
  const found = await fetch(server.url);
  expect([found.status, await found.text()]).toEqual([
    200,
    expect.stringMatching(/^Ollama is running/),
  ]);
  const head = await fetch(server.url, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('models that run are listed, and one that is there need not be pulled', async () => {
  const { models } = await client.ps();
  expect(models.map(({ name }) => name)).toEqual(names);
  expect(models[0]).toMatchObject({ context_length: 512, size: expect.any(Number) });
  expect(await client.pull({ model: 'chat' })).toEqual({ status: 'success' });
  await expect(client.pull({ model: 'other' })).rejects.toMatchObject({ status_code: 404 });
});

test('models are listed and described', async () => {
  const { models } = await client.list();
  expect(models.map(({ name }) => name)).toEqual(names);
  expect(models[0]?.details).toMatchObject({
    format: 'amb',
    family: 'llama',
    quantization_level: 'f32',
  });
  const shown = await client.show({ model: 'chat' });
  expect(shown.template).toBe(model.chatTemplate);
  expect(shown.capabilities).toEqual(['completion']);
  const older = await post(`${server.url}/api/show`, { name: 'chat' });
  expect((await older.json()).template).toBe(model.chatTemplate);
  expect((await client.show({ model: 'thinker' })).capabilities).toContain('thinking');
  expect((await client.show({ model: 'caller' })).capabilities).toEqual(['completion', 'tools']);
  expect((await client.show({ model: 'minilm' })).capabilities).toEqual(['embedding']);
  expect((await client.version()).version).toMatch(/^\d+\.\d+\.\d+$/);
});
