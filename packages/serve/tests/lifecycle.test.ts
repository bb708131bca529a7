// Opening models, crashes, and the end of the server.
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Model, open } from 'ambry';
import { describe, expect, test } from 'vitest';
import { longAnswerFile } from '../../../tests/web/support/long-answers.ts';
import { openEncoder, openLong } from '../../../tests/web/support/models/small-models.ts';
import { ownWorkers } from '../../../tests/web/support/own-workers.ts';
import { smallModel } from '../../../tests/web/support/package.ts';
import { serve } from '../src/index.ts';
import { endless, eventually, post, testServer } from './support/test-server.ts';

const messages = [{ role: 'user', content: 'Hello' }];
const embed = (url: string, model = 'minilm') =>
  post(`${url}/v1/embeddings`, { model, input: 'the cat' });

describe('models', () => {
  test('are opened in their order, while the server says that it loads them', async () => {
    const order: string[] = [];
    let openGate = () => {};
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    const entry = (name: string) => async (): Promise<Model> => {
      order.push(name);
      await gate;
      return openEncoder();
    };
    const server = await serve({ a: entry('a'), b: entry('b') }, { port: 0 });
    const loading = await fetch(`${server.url}/health`);
    expect(loading.status).toBe(503);
    expect(await loading.json()).toEqual({
      status: 'loading',
      models: [
        { name: 'a', state: 'loading' },
        { name: 'b', state: 'waiting' },
      ],
    });
    const early = await embed(server.url, 'a');
    expect(early.status).toBe(503);
    expect(early.headers.get('retry-after')).not.toBeNull();
    expect((await early.json()).error.code).toBe('model_loading');
    expect(order).toEqual(['a']);
    openGate();
    expect(await server.opened).toEqual([]);
    expect(order).toEqual(['a', 'b']);
    const ready = await fetch(`${server.url}/health`);
    expect(ready.status).toBe(200);
    expect((await ready.json()).status).toBe('ready');
    expect((await embed(server.url, 'b')).status).toBe(200);
    await server.close();
  });

  test('that cannot be opened do not stop the others', async () => {
    await using server = await testServer({
      bad: () => open(new Uint8Array(100)),
      minilm: openEncoder,
    });
    expect(server.errors).toEqual([expect.objectContaining({ name: 'AmbryError' })]);
    expect((await (await fetch(`${server.url}/health`)).json()).status).toBe('failed');
    const response = await embed(server.url, 'bad');
    expect(response.status).toBe(503);
    expect((await response.json()).error.code).toBe('model_failed');
    expect((await embed(server.url)).status).toBe(200);
  });

  test('are opened again after a crash', async () => {
    const { started, createWorker } = ownWorkers();
    const file = await smallModel();
    let opens = 0;
    const entry = () => {
      opens++;
      return open(file, { createWorker });
    };
    await using server = await testServer({ minilm: entry });
    expect((await embed(server.url)).status).toBe(200);
    await started[0]?.terminate();
    const failed = await embed(server.url);
    expect(failed.status).toBe(500);
    expect((await failed.json()).error.code).toBe('model_crashed');
    await eventually(async () => (await embed(server.url)).status).toBe(200);
    expect(opens).toBe(2);
    expect(server.errors).toEqual([expect.objectContaining({ code: 'Crashed' })]);
  });

  test('that crash while they write end the stream with an error', async () => {
    const { started, createWorker } = ownWorkers();
    const entry = () => open(longAnswerFile(), { createWorker, threads: 1 });
    await using server = await testServer({ long: entry });
    const body = { model: 'long', prompt: 'a', ...endless, stream: true };
    const response = await post(`${server.url}/v1/completions`, body);
    await started[0]?.terminate();
    const text = await response.text();
    expect(text).toMatch(/"code":"model_crashed"\}\}\n\n$/);
    expect(text).not.toContain('[DONE]');
    const next = () =>
      post(`${server.url}/v1/completions`, { ...body, stream: false, max_tokens: 1 });
    await eventually(async () => (await next()).status).toBe(200);
  });

  test('that the caller opened stay open', async () => {
    const model = await openEncoder();
    const server = await testServer({ minilm: model });
    await server.close();
    expect(await model.embed('the cat')).toHaveLength(model.dim);
    await model.dispose();
  });
});

describe('the end', () => {
  test('waits for running answers and refuses all others', async () => {
    const server = await testServer({ long: openLong });
    const url = `${server.url}/v1/chat/completions`;
    const body = { model: 'long', messages, ...endless, max_tokens: 200, stream: true };
    const running = await post(url, body);
    const waiting = post(url, { model: 'long', messages, max_tokens: 1 });
    await eventually(async () =>
      (await (await fetch(`${server.url}/metrics`)).text()).includes(
        'ambry_queue_waiting{model="long"} 1',
      ),
    ).toBe(true);
    const closed = server.close();
    const refused = await waiting;
    expect(refused.status).toBe(503);
    expect((await refused.json()).error.code).toBe('stopping');
    await expect(embed(server.url)).rejects.toThrow();
    const text = (await running.text()).slice(-400);
    expect(text).toMatch(/"finish_reason":"length"\}\]\}\n\ndata: \[DONE\]\n\n$/);
    await closed;
  });

  test('comes for a request that its client does not finish', async () => {
    const server = await testServer({ minilm: openEncoder }, { closeTimeout: 0.2 });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(
      'POST /v1/embeddings HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n',
    );
    // The server has the request.
    await once(socket, 'data');
    const closed = once(
      socket.on('error', () => {}),
      'close',
    );
    await server.close();
    await closed;
  });

  test('comes for answers that take too long', async () => {
    const server = await testServer({ long: openLong }, { closeTimeout: 0.2 });
    const url = `${server.url}/v1/chat/completions`;
    const running = await post(url, { model: 'long', messages, ...endless, stream: true });
    await server.close();
    expect((await running.text()).slice(-200)).toMatch(/"code":"stopping"\}\}\n\n$/);
  });
});
