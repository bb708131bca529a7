// `ambry mcp` as programs start it: a child process, with messages on its standard input and output.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliArgs } from '../../../tests/web/support/cli/cli.ts';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { ByteServer } from '../../../tests/web/support/servers/byte-server.ts';
import { stdioClient, type TestClient } from './support/clients.ts';
import { testFolder } from './support/test-folder.ts';

const { at } = await testFolder();
const args = () => [
  at('notes.ambryindex'),
  '--files',
  at('allowed'),
  '--classifier',
  `topics=${at('topics.bin')}`,
];

describe('a program', () => {
  let served: TestClient;
  beforeAll(async () => {
    served = await forAllTests(stdioClient(args()));
  });

  test('lists the tools, which change nothing', async () => {
    const { tools } = await served.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'search_index',
      'read_passage',
      'list_indexes',
      'classify_text',
      'inspect_model',
      'validate_model',
    ]);
    for (const { description, inputSchema, annotations } of tools) {
      expect(description).toMatch(/\w+ \w+.*\.$/);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    }
    expect(served.client.getInstructions()).toContain('notes');
    expect(served.client.getServerVersion()).toMatchObject({ name: 'ambry' });
  });

  test('searches an index and reads on', async () => {
    const { passages } = await served.call('search_index', { query: 'the cat', k: 2 });
    expect(passages).toHaveLength(2);
    expect(passages[0]).toMatchObject({ source: 'a.md', score: expect.any(Number) });
    const { id } = passages[0];
    const read = await served.call('read_passage', { id, before: 1, after: 1 });
    expect(read['passages'].map((passage: { id: string }) => passage.id)).toContain(id);
  });

  test('inspects and checks a model, and classifies a text', async () => {
    const info = await served.call('inspect_model', { path: 'tiny.weights' });
    expect(info).toMatchObject({ format: 'embd', run: { runs: true, kind: 'encoder' } });
    const report = await served.call('validate_model', { path: 'tiny.weights', values: true });
    expect(report).toMatchObject({ valid: true, depth: 'values', errors: [] });
    const { results } = await served.call('classify_text', { texts: ['wort', 'hausmaus'], k: 1 });
    expect(results).toHaveLength(2);
    expect(results[0].labels[0].label).toMatch(/^__label__/);
  });

  test('gets wrong arguments refused by name', async () => {
    const refused = (given: Record<string, unknown>) => served.failure('search_index', given);
    expect(await refused({})).toMatch(/at query/);
    expect(await refused({ query: 'a', k: 1e9 })).toMatch(/<=50 at k/);
    expect(await refused({ query: 'a', k: 'three' })).toMatch(/at k/);
    expect(await refused({ query: 'a', index: 'other' })).toMatch(/"notes" at index/);
    expect(await refused({ querry: 'a', query: 'a' })).toContain('no argument "querry"');
    expect(await served.failure('classify_text', { texts: [] })).toMatch(/at texts/);
    expect(await served.failure('no_tool')).toContain('no_tool');
  });

  test('says nothing else', () => {
    expect(served.log()).toBe('');
  });
});

describe('a call', () => {
  test('that is cancelled while a model is fetched leaves the others be', async () => {
    const silent = await forAllTests(silentServer());
    const address = `${silent.origin}/m.weights`;
    const slow = [at('notes.ambryindex'), `slow=${at('notes.ambryindex')}`, '--model', address];
    await using served = await stdioClient([...slow, '--files', at('allowed')]);
    const stop = new AbortController();
    const call = served.call(
      'search_index',
      { index: 'slow', query: 'a' },
      { signal: stop.signal },
    );
    await silent.asked;
    stop.abort();
    await expect(call).rejects.toThrow(/abort/i);
    const report = await served.call('validate_model', { path: 'tiny.weights' });
    expect(report['valid']).toBe(true);
  });

  test('that waits for a server which says nothing ends', async () => {
    const silent = await forAllTests(silentServer());
    const address = `${silent.origin}/docs.ambryindex`;
    await using served = await stdioClient([address, '--stall-timeout', '0.2']);
    const message = await served.failure('search_index', { query: 'a' });
    expect(message).toMatch(/^Http.*nothing came for 0.2 s/);
  });

  test('of a damaged index says where, and other indexes are searched', async () => {
    await using served = await stdioClient([at('notes.ambryindex'), at('damaged.ambryindex')]);
    const message = await served.failure('search_index', { index: 'damaged', query: 'a' });
    expect(message).toMatch(/^UnsupportedVersion at byte 8/);
    const { indexes } = await served.call('list_indexes');
    expect(indexes).toMatchObject([
      { index: 'notes', passages: 4, documents: 2 },
      { index: 'damaged', error: { code: 'UnsupportedVersion', byteOffset: 8 } },
    ]);
    expect(served.log()).toContain('ambry: damaged: UnsupportedVersion at byte 8');
  });
});

test('two programs have a process each', async () => {
  await using first = await stdioClient([at('notes.ambryindex')]);
  await using second = await stdioClient([at('notes.ambryindex')]);
  const [a, b] = await Promise.all(
    [first, second].map((served) => served.call('search_index', { query: 'rain' })),
  );
  expect(a).toEqual(b);
});

const lines = (...messages: object[]) =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
const hello = lines(
  {
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
);
const search = lines({
  id: 1,
  method: 'tools/call',
  params: { name: 'search_index', arguments: { query: 'the cat' } },
});

describe('the process', () => {
  const started = () => spawn(process.execPath, [...cliArgs, 'mcp', ...args()], { stdio: 'pipe' });

  test('answers what it was asked, and ends with its input', async () => {
    const child = started();
    child.stdin.end(`${hello}no JSON\n${search}`);
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect(code).toBe(0);
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number });
    expect(answers.map(({ id }) => id)).toEqual([0, 1]);
    expect(err).toMatch(/^ambry: .*JSON/);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('ends with %s', async (signal) => {
    const child = started();
    child.stdin.write(hello);
    await once(createInterface(child.stdout), 'line');
    child.kill(signal);
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  });

  test('ends when its client is killed', async () => {
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ${JSON.stringify([...cliArgs, 'mcp', ...args()])});
      child.stdin.write(${JSON.stringify(hello)});
      child.stdout.once('data', () => console.log(child.pid));
      setInterval(() => {}, 1000);`;
    const client = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(client.stdout), 'line')) as [string];
    client.kill('SIGKILL');
    await once(client, 'exit');
    await expect.poll(() => isRunning(Number(line))).toBe(false);
  });

  test('refuses a message without an end', async () => {
    const child = spawn(process.execPath, [
      ...cliArgs,
      'mcp',
      at('notes.ambryindex'),
      '--max-body',
      '1KB',
    ]);
    child.stdin.on('error', () => {});
    child.stdin.write('{'.repeat(5000));
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(err).toMatch(/exceeded/);
    expect(code).toBe(0);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A server that takes requests and answers none. */
async function silentServer() {
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const server = await ByteServer.start(() => ask());
  return { origin: server.origin, asked, [Symbol.asyncDispose]: async () => server.close() };
}
