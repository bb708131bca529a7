// Limits of requests, and requests that are wrong in every way.
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openChat, openEncoder, openLong } from '../../../tests/web/support/models/small-models.ts';
import { createApp } from '../src/index.ts';
import {
  endless,
  eventually,
  generatedTokens,
  post,
  type TestServer,
  testServer,
} from './support/test-server.ts';

const chat = await forAllTests(openChat());
const encoder = await forAllTests(openEncoder());
const long = await forAllTests(openLong());
const server = await forAllTests(
  testServer({ chat, minilm: encoder, long }, { maxBody: 100_000, maxAnswers: 2, maxTokens: 7 }),
);

const messages = [{ role: 'user', content: 'Hello' }];

describe('a body', () => {
  const large = JSON.stringify({ model: 'minilm', input: 'a'.repeat(200_000) });

  test('that is too large is refused, however it is sent', async () => {
    const whole = await post(`${server.url}/v1/embeddings`, large);
    const inParts = await fetch(`${server.url}/v1/embeddings`, {
      method: 'POST',
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit);
    for (const response of [whole, inParts]) {
      expect(response.status).toBe(413);
      expect((await response.json()).error.code).toBe('body_too_large');
    }
  });

  test('that is too large leaves the connection as it is', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (body: string) =>
      new Promise<{ status: number | undefined; isReused: boolean }>((resolve, reject) => {
        const sent = request(`${server.url}/v1/embeddings`, { method: 'POST', agent });
        sent.on('error', reject);
        sent.on('response', (response) => {
          response.resume();
          response.on('end', () =>
            resolve({ status: response.statusCode, isReused: sent.reusedSocket }),
          );
        });
        // In parts, without a length.
        sent.write(body.slice(0, 9));
        sent.end(body.slice(9));
      });
    expect(await send(large)).toEqual({ status: 413, isReused: false });
    // A server that left a part unread would close the connection by now.
    await wait(700);
    const small = JSON.stringify({ model: 'minilm', input: 'a' });
    expect(await send(small)).toEqual({ status: 200, isReused: true });
    agent.destroy();
  });

  test('of which a client announces far too much is not awaited', async () => {
    const sent = request(`${server.url}/v1/embeddings`, {
      method: 'POST',
      headers: { 'content-length': 1e9 },
    });
    sent.on('error', () => {});
    sent.write('{');
    const status = await new Promise((resolve) =>
      sent.on('response', ({ statusCode }) => resolve(statusCode)),
    );
    expect(status).toBe(413);
    sent.destroy();
  });

  test.each([
    ['', null],
    ['{', null],
    ['{"model": "chat",}', null],
    ['\u0000', null],
    ['['.repeat(50_000), null],
    ['null', ''],
    ['[]', ''],
    ['"text"', ''],
    ['3', ''],
    ['{}', 'model'],
    ['{"model": 3, "messages": []}', 'model'],
    ['{"model": "chat"}', 'messages'],
    ['{"model": "chat", "messages": []}', 'messages'],
    ['{"model": "chat", "messages": {}}', 'messages'],
    ['{"model": "chat", "messages": ["Hello"]}', 'messages[0]'],
    ['{"model": "chat", "messages": [{"role": "user"}]}', 'messages[0].content'],
    ['{"model": "chat", "messages": [{"role": "king", "content": "a"}]}', 'messages[0].role'],
    ['{"model": "chat", "messages": [{"role": "user", "content": 3}]}', 'messages[0].content'],
  ])('%j is a bad request', async (body, param) => {
    const response = await post(`${server.url}/v1/chat/completions`, body);
    expect(response.status).toBe(400);
    const { error } = await response.json();
    expect(error.message).not.toBe('');
    expect(error.type).toBe('invalid_request_error');
    expect(error.param).toBe(param);
    expect(error.code).toBe(param === null ? 'invalid_json' : 'invalid_value');
  });
});

describe('a field', () => {
  test.each([
    ['temperature', -1],
    ['temperature', 'hot'],
    ['top_p', 2],
    ['max_tokens', 0],
    ['max_tokens', 1.5],
    ['n', 0],
    ['n', 3],
    ['seed', 0.5],
    ['stop', 3],
    ['stop', Array.from({ length: 65 }, () => 'a')],
    ['frequency_penalty', 1e9],
    ['logprobs', 1],
    ['top_logprobs', 2],
    ['stream', 'yes'],
    ['audio', {}],
    ['functions', [{ name: 'f' }]],
    ['max_tokens', -2],
  ])('%s of %j is a bad request', async (name, value) => {
    const body = { model: 'chat', messages, [name]: value };
    const response = await post(`${server.url}/v1/chat/completions`, body);
    expect(response.status).toBe(400);
    expect((await response.json()).error.param).toBe(name);
  });

  test.each([
    ['logit_bias', { x: 1 }, 'logit_bias.x'],
    ['logit_bias', { 9999: 1 }, 'logit_bias'],
    ['response_format', { type: 'xml' }, 'response_format.type'],
  ])('%s of %j is a bad request', async (name, value, param) => {
    const body = { model: 'chat', messages, [name]: value };
    const response = await post(`${server.url}/v1/chat/completions`, body);
    expect(response.status).toBe(400);
    expect((await response.json()).error.param).toBe(param);
  });

  test('that says something of the caller changes nothing', async () => {
    const ask = async (more: object) => {
      const body = { model: 'chat', messages, seed: 1, ...more };
      const { choices } = await (await post(`${server.url}/v1/chat/completions`, body)).json();
      return choices[0].message.content as string;
    };
    const more = {
      user: 'me',
      metadata: { a: 'b' },
      store: false,
      service_tier: 'auto',
      n: null,
      stop: null,
    };
    expect(await ask(more)).toBe(await ask({}));
  });
});

test('a text that does not fit the context is a bad request, before the stream begins', async () => {
  const body = {
    model: 'chat',
    messages: [{ role: 'user', content: 'a'.repeat(600) }],
    stream: true,
  };
  const response = await post(`${server.url}/v1/chat/completions`, body);
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({
    param: 'prompt',
    code: 'context_length_exceeded',
  });
});

test('an answer has no more tokens than the server allows', async () => {
  for (const max_tokens of [undefined, 50]) {
    const body = { model: 'chat', messages, seed: 1, max_tokens };
    const { usage, choices } = await (await post(`${server.url}/v1/chat/completions`, body)).json();
    expect(usage.completion_tokens).toBe(7);
    expect(choices[0].finish_reason).toBe('length');
  }
});

test.each([
  ['GET', '/v1/chat/completions', /takes POST, not GET/],
  ['POST', '/v1/models', /takes GET, not POST/],
  ['GET', '/v2/models', /no GET \/v2\/models/],
  ['GET', '/api/nothing', /no GET \/api\/nothing/],
  ['GET', '/v1/messages', /takes POST, not GET/],
])('%s %s is not there', async (method, path, message) => {
  const response = await fetch(`${server.url}${path}`, { method });
  expect(response.status).toBe(404);
  const { error } = await response.json();
  expect(typeof error === 'string' ? error : error.message).toMatch(message);
});

describe('the queue', () => {
  test('refuses what is too much, and answers the others in turn', async () => {
    await using small = await testServer({ long }, { maxQueue: 1 });
    const url = `${small.url}/v1/chat/completions`;
    const abort = new AbortController();
    const running = await post(
      url,
      { model: 'long', messages, ...endless, stream: true },
      {},
      abort.signal,
    );
    const waiting = post(url, { model: 'long', messages, max_tokens: 1 });
    await eventually(() => gauge(small, 'ambry_queue_waiting')).toBe(1);
    expect(await gauge(small, 'ambry_running')).toBe(1);
    const refused = await post(url, { model: 'long', messages, max_tokens: 1 });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await refused.json()).error).toMatchObject({
      type: 'rate_limit_error',
      code: 'queue_full',
    });
    abort.abort();
    expect((await waiting).status).toBe(200);
    await expect(running.text()).rejects.toThrow();
    expect(await gauge(small, 'ambry_running')).toBe(0);
  });

  test('forgets a client that goes', async () => {
    await using small = await testServer({ long }, { maxQueue: 1 });
    const url = `${small.url}/v1/chat/completions`;
    const [first, second] = [new AbortController(), new AbortController()];
    const running = await post(
      url,
      { model: 'long', messages, ...endless, stream: true },
      {},
      first.signal,
    );
    const waiting = post(url, { model: 'long', messages, max_tokens: 1 }, {}, second.signal);
    await eventually(() => gauge(small, 'ambry_queue_waiting')).toBe(1);
    second.abort();
    await expect(waiting).rejects.toThrow();
    await eventually(() => gauge(small, 'ambry_queue_waiting')).toBe(0);
    first.abort();
    await expect(running.text()).rejects.toThrow();
  });
});

describe('a request that takes too long', () => {
  const ask = (server: TestServer, stream: boolean) =>
    post(`${server.url}/v1/chat/completions`, { model: 'long', messages, ...endless, stream });

  test('ends with an error', async () => {
    await using small = await testServer({ long }, { requestTimeout: 0.5 });
    const whole = await ask(small, false);
    expect(whole.status).toBe(503);
    expect((await whole.json()).error.code).toBe('timeout');
    expect(await generatedTokens(small, 'long')).toBeLessThan(4000);
  });

  test('ends with an error in the stream', async () => {
    // On a busy machine the first token may take longer, and there is no stream yet.
    let text = '';
    for (let requestTimeout = 0.5; text === ''; requestTimeout *= 4) {
      await using small = await testServer({ long }, { requestTimeout });
      const streamed = await ask(small, true);
      if (streamed.status === 200) {
        text = await streamed.text();
      }
    }
    expect(text).toMatch(/"code":"timeout"\}\}\n\n$/);
    expect(text).not.toContain('[DONE]');
  });
});

test('a client that stops reading does not hold the model after its time', async () => {
  const app = createApp({ long });
  const ask = (body: object, signal: AbortSignal | null = null) =>
    app.fetch(
      new Request('http://localhost/v1/completions', {
        method: 'POST',
        body: JSON.stringify({ model: 'long', prompt: 'a', ...body }),
        signal,
      }),
    );
  const end = new AbortController();
  const unread = await ask({ ...endless, stream: true }, end.signal);
  end.abort();
  expect((await ask({ max_tokens: 1 })).status).toBe(200);
  expect(await unread.text()).toMatch(/"code":"aborted"\}\}\n\n$/);
});

test('what happened can be read as metrics', async () => {
  await using small = await testServer({ chat });
  await post(`${small.url}/v1/chat/completions`, {
    model: 'chat',
    messages,
    seed: 1,
    max_tokens: 3,
  });
  await post(`${small.url}/v1/chat/completions`, { model: 'other', messages });
  await fetch(`${small.url}/random/${crypto.randomUUID()}`);
  const lines = async () => (await (await fetch(`${small.url}/metrics`)).text()).split('\n');
  const route = 'method="POST",route="/v1/chat/completions"';
  await eventually(lines).toEqual(
    expect.arrayContaining([
      `ambry_http_requests_total{${route},status="200"} 1`,
      `ambry_http_requests_total{${route},status="404"} 1`,
      'ambry_http_requests_total{method="GET",route="other",status="404"} 1',
      'ambry_http_request_duration_seconds_count{route="/v1/chat/completions"} 2',
      'ambry_tokens_total{model="chat",kind="generated"} 3',
      'ambry_tokens_total{model="chat",kind="prompt"} 23',
      'ambry_queue_waiting{model="chat"} 0',
      'ambry_model_ready{model="chat"} 1',
      `ambry_model_weight_bytes{model="chat"} ${chat.weightBytes}`,
    ]),
  );
});

async function gauge({ url }: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'm').exec(text)?.[1]);
}
