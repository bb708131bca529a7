// Where servers listen, and how they end.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { expect, test } from 'vitest';
import { asUsage, ended, listen, needsKey, urlOf } from '../src/index.ts';

const open = { apiKey: undefined, withoutKey: false };

test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('%s is this machine', (host) => {
  expect(needsKey({ host, ...open })).toBeUndefined();
});

test.each(['0.0.0.0', '::', '192.168.0.2', 'example.org'])('%s needs a key', (host) => {
  expect(needsKey({ host, ...open })).toMatchObject({ code: 'BadValue', path: 'options.host' });
  expect(needsKey({ host, ...open, apiKey: 'a' })).toBeUndefined();
  expect(needsKey({ host, ...open, withoutKey: true })).toBeUndefined();
});

test('a port that is taken and a host that is not here are named', async () => {
  const [first, second] = [createServer(), createServer()];
  await listen(first, 0, '127.0.0.1');
  const url = urlOf('127.0.0.1', first);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const port = Number(new URL(url).port);
  const error: unknown = await listen(second, port, '127.0.0.1').catch((error) => error);
  expect(error).toMatchObject({ code: 'BadValue', path: 'options.port' });
  await expect(listen(second, 0, '203.0.113.1')).rejects.toMatchObject({ path: 'options.host' });
  const usageError = (message: string, option?: string) => new Error(`${option}: ${message}`);
  expect(asUsage(error, { usageError })).toMatchObject({
    message: expect.stringMatching(/^--port: The server cannot listen/),
  });
  await ended(first, 1000, () => {});
});

test('a server ends after the answer that runs', async () => {
  const server = createServer((_, response) => setTimeout(() => response.end('late'), 50));
  await listen(server, 0, '127.0.0.1');
  const sent = request(urlOf('127.0.0.1', server)).end();
  const answered = once(sent, 'response');
  await once(server, 'request');
  let isAborted = false;
  await ended(server, 10_000, () => {
    isAborted = true;
  });
  expect((await answered)[0]).toMatchObject({ statusCode: 200 });
  expect(isAborted).toBe(false);
});

test('errors of other places are as they were', () => {
  const error = new Error('no option');
  expect(asUsage(error, { usageError: () => new Error('wrong') })).toBe(error);
});
