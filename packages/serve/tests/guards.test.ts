// Who may call the server.
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openEncoder } from '../../../tests/web/support/models/small-models.ts';
import { serve } from '../src/index.ts';
import { rawRequest } from './support/raw-request.ts';
import { testServer } from './support/test-server.ts';

const encoder = await forAllTests(openEncoder());
const open = await forAllTests(
  testServer({ minilm: encoder }, { cors: ['https://good.example'], allowedHosts: ['models.lan'] }),
);
const locked = await forAllTests(testServer({ minilm: encoder }, { apiKey: 'secret' }));

describe('a key', () => {
  test('lets clients in', async () => {
    const client = new OpenAI({ baseURL: `${locked.url}/v1`, apiKey: 'secret' });
    expect((await client.models.list()).data).toHaveLength(1);
    const wrong = new OpenAI({ baseURL: `${locked.url}/v1`, apiKey: 'secret2' });
    await expect(wrong.models.list()).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
  });

  test.each([
    ['/v1/models', {}],
    ['/v1/models', { authorization: 'Bearer ' }],
    ['/v1/models', { authorization: 'secret' }],
    ['/v1/models', { authorization: 'Basic secret' }],
    ['/v1/models', { authorization: 'Bearer secre' }],
    ['/metrics', {}],
    ['/api/tags', {}],
    ['/nothing', {}],
  ])('that is missing or wrong is refused at %s (%o)', async (path, headers) => {
    const response = await fetch(`${locked.url}${path}`, { headers });
    expect(response.status).toBe(401);
    expect(JSON.stringify(await response.json())).not.toContain('secret');
  });

  test('is not needed to ask for the health', async () => {
    expect((await fetch(`${locked.url}/health`)).status).toBe(200);
  });
});

describe('without a key', () => {
  const port = () => new URL(open.url).port;

  test.each([
    'localhost',
    '127.0.0.1',
    '[::1]',
    'models.lan',
    'LOCALHOST',
  ])('the host %s is answered', async (host) => {
    const answer = await rawRequest(`${open.url}/v1/models`, {
      headers: { host: `${host}:${port()}` },
    });
    expect(answer.status).toBe(200);
  });

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
  ])('the host "%s" is refused', async (host) => {
    const answer = await rawRequest(`${open.url}/v1/models`, { headers: { host } });
    expect([400, 403]).toContain(answer.status);
  });

  test.each([
    'https://evil.example',
    'null',
    'http://localhost:1',
    'file://',
  ])('pages of %s may not call', async (origin) => {
    const answer = await rawRequest(`${open.url}/v1/embeddings`, {
      method: 'POST',
      headers: { origin, 'content-type': 'text/plain' },
      body: JSON.stringify({ model: 'minilm', input: 'the cat' }),
    });
    expect(answer.status).toBe(403);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('pages of the server itself and of allowed origins may', async () => {
    for (const origin of [open.url, 'https://good.example']) {
      const answer = await rawRequest(`${open.url}/v1/models`, { headers: { origin } });
      expect(answer.status).toBe(200);
    }
    const preflight = await rawRequest(`${open.url}/v1/embeddings`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://good.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://good.example',
      'access-control-allow-headers': 'content-type',
    });
  });
});

test('all origins can be allowed', async () => {
  await using server = await testServer({ minilm: encoder }, { cors: ['*'] });
  const headers = { origin: 'https://any.example' };
  const answer = await rawRequest(`${server.url}/v1/models`, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
});

describe('the address', () => {
  test('that is taken, or not of this machine, is refused', async () => {
    const port = Number(new URL(open.url).port);
    const taken = serve({ minilm: encoder }, { port });
    await expect(taken).rejects.toMatchObject({ code: 'BadValue', path: 'options.port' });
    const other = serve({ minilm: encoder }, { port: 0, host: '240.0.0.1', withoutKey: true });
    await expect(other).rejects.toMatchObject({ code: 'BadValue', path: 'options.host' });
  });

  test.each(['0.0.0.0', '::', '10.1.2.3', 'example.org'])('%s needs a key', async (host) => {
    const starting = serve({ minilm: encoder }, { host, port: 0 });
    await expect(starting).rejects.toMatchObject({ code: 'BadValue', path: 'options.host' });
  });

  test('of all interfaces is open if one says so, or with a key', async () => {
    for (const more of [{ withoutKey: true }, { apiKey: 'secret' }]) {
      const server = await serve({ minilm: encoder }, { host: '0.0.0.0', port: 0, ...more });
      const { port } = new URL(server.url);
      expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
      await server.close();
    }
  });
});

test.each([
  [{ prot: 80 }, 'options.prot'],
  [{ port: 70_000 }, 'options.port'],
  [{ maxBody: 0 }, 'options.maxBody'],
  [{ apiKey: '' }, 'options.apiKey'],
  [{ cors: 'https://a.example' }, 'options.cors'],
  [{ cors: ['example.org'] }, 'options.cors[0]'],
  [{ cors: ['https://example.org/'] }, 'options.cors[0]'],
  [{ allowedHosts: ['a:80'] }, 'options.allowedHosts[0]'],
  [{ maxBody: 2 ** 30 }, 'options.maxBody'],
  [{ requestTimeout: 1e12 }, 'options.requestTimeout'],
])('the options %o are refused', async (options, path) => {
  const starting = serve({ minilm: encoder }, options as object);
  await expect(starting).rejects.toMatchObject({ name: 'AmbryError', code: 'BadValue', path });
});

test('there must be a model', async () => {
  await expect(serve({}, { port: 0 })).rejects.toMatchObject({ code: 'BadValue', path: 'models' });
});
