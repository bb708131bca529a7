// The server over HTTP: who may call it, its sessions and limits, and how it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { SearchIndex } from 'ambry';
import { afterAll, describe, expect, test } from 'vitest';
import { cliArgs } from '../../../tests/web/support/cli/cli.ts';
import { rawRequest } from '../../serve/tests/support/raw-request.ts';
import { serveHttp } from '../src/index.ts';
import { httpClient } from './support/clients.ts';
import { testFolder } from './support/test-folder.ts';

const { at } = await testFolder();
const files = { folders: [at('allowed')] };
const server = await serveHttp({ files, port: 0, maxBody: 5000 });
afterAll(() => server.close());

const hello = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'a', version: '1' },
  },
});
const usual = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const post = (url: string, headers: Record<string, string> = {}, body = hello) =>
  rawRequest(url, { method: 'POST', headers: { ...usual, ...headers }, body });

describe('two clients', () => {
  test('are served side by side, and one may go', async () => {
    await using first = await httpClient(server.url);
    const second = await httpClient(server.url);
    const ask = (served: typeof first) => served.call('inspect_model', { path: 'tiny.weights' });
    const [a, b] = await Promise.all([ask(first), ask(second)]);
    expect(a).toEqual(b);
    await second.client.close();
    expect(await ask(first)).toEqual(a);
  });

  test('take the place of those that are gone', async () => {
    await using one = await serveHttpUsing({ maxSessions: 1 });
    const gone = await post(one.url);
    expect(gone.status).toBe(200);
    await using present = await httpClient(one.url);
    expect((await present.client.listTools()).tools).toHaveLength(2);
    const id = String(gone.headers['mcp-session-id']);
    expect((await post(one.url, { 'mcp-session-id': id })).status).toBe(404);
  });
});

const serveHttpUsing = async (options: object) => {
  const made = await serveHttp({ files, port: 0, ...options });
  return { url: made.url, close: made.close, [Symbol.asyncDispose]: made.close };
};

describe('a request', () => {
  test.each([
    [{ host: 'evil.example' }, 403, /host name/],
    [{ origin: 'https://evil.example' }, 403, /Pages of/],
    [{ origin: 'null' }, 403, /Pages of/],
    [{ 'content-type': 'text/plain' }, 415, /Content-Type/],
    [{ 'mcp-session-id': 'none' }, 404, /no such session/],
  ])('with %j is refused', async (headers, status, message) => {
    const answer = await post(server.url, headers);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body).error.message).toMatch(message);
  });

  test('that is too long, no JSON, or elsewhere is refused', async () => {
    expect((await post(server.url, {}, `"${'a'.repeat(6000)}"`)).status).toBe(413);
    expect((await post(server.url, {}, '{')).status).toBe(400);
    expect((await post(server.url.replace('/mcp', '/'))).status).toBe(404);
    expect((await rawRequest(server.url)).status).toBe(400);
  });

  test('by the name localhost, or of an origin that may call, is answered', async () => {
    await using open = await serveHttpUsing({ cors: ['https://example.org'] });
    expect((await post(open.url, { host: 'localhost:1' })).status).toBe(200);
    const origin = 'https://example.org';
    const { status, headers } = await post(open.url, { origin });
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBe(origin);
    const asked = await rawRequest(open.url, { method: 'OPTIONS', headers: { origin } });
    expect(asked.status).toBe(204);
  });

  test('needs the key, if there is one', async () => {
    await using locked = await serveHttpUsing({ apiKey: 'secret' });
    expect((await post(locked.url)).status).toBe(401);
    expect((await post(locked.url, { authorization: 'Bearer wrong' })).status).toBe(401);
    await using known = await httpClient(locked.url, { authorization: 'Bearer secret' });
    expect((await known.client.listTools()).tools).toHaveLength(2);
  });
});

describe('options', () => {
  test.each([
    [{ host: '0.0.0.0' }, 'options.host', /Give it a key/],
    [{ port: 70_000 }, 'options.port', /65535/],
    [{ allowedHosts: ['a:1'] }, 'options.allowedHosts[0]', /host name/],
    [{ prot: 1 }, 'options.prot', /no option "prot".*port/],
    [{ files: undefined }, 'options', /nothing to offer/],
    [{ indexes: { a: {} } }, 'options.indexes.a', /opened search index/],
  ])('%j are refused', async (wrong, path, message) => {
    const made = serveHttp({ files, port: 0, ...(wrong as object) });
    await expect(made).rejects.toMatchObject({ code: 'BadValue', path });
    await expect(made).rejects.toThrow(message);
  });
});

test('a call that the client cancels ends the work', async () => {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let end: unknown;
  const search: SearchIndex['search'] = (_, { signal } = {}) => {
    begin();
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        end = signal.reason;
        reject(signal.reason);
      });
    });
  };
  const slow = { docs: [], search } as unknown as SearchIndex;
  const own = await serveHttp({ indexes: { slow }, port: 0 });
  const { client, call } = await httpClient(own.url);
  const stop = new AbortController();
  const answer = call('search_index', { query: 'a' }, { signal: stop.signal });
  await begun;
  stop.abort();
  await expect(answer).rejects.toThrow(/abort/i);
  await expect.poll(() => end).toBeDefined();
  await client.close();
  await own.close();
});

test('a running call may end when the server does', async () => {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let go = () => {};
  const slow = {
    docs: [],
    search: () => {
      begin();
      return new Promise((resolve) => {
        go = () => resolve([]);
      });
    },
  } as unknown as SearchIndex;
  const own = await serveHttp({ indexes: { slow }, port: 0 });
  const { client, call } = await httpClient(own.url);
  const answer = call('search_index', { query: 'a' });
  await begun;
  const closed = own.close();
  expect((await post(own.url)).status).toBe(503);
  go();
  expect(await answer).toEqual({ index: 'slow', passages: [] });
  await closed;
  await client.close();
});

describe('ambry mcp --http', () => {
  test('prints its address, and ends with a signal', async () => {
    const args = ['mcp', at('notes.ambryindex'), '--http', '--port', '0', '--json'];
    const child = spawn(process.execPath, [...cliArgs, ...args]);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { url, ...rest } = JSON.parse(line) as { url: string };
    expect(rest).toEqual({ indexes: ['notes'], classifiers: [], taggers: [] });
    const served = await httpClient(url);
    const { passages } = await served.call('search_index', { query: 'the dog', hybrid: true });
    expect(passages[0]).toMatchObject({ id: 'a.md#2', terms: expect.arrayContaining(['dog']) });
    const stopped = once(child, 'close');
    child.kill('SIGTERM');
    expect((await stopped)[0]).toBe(0);
    await served.client.close();
  });
});
