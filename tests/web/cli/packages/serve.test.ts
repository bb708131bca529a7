// `ambry serve`, the way people run it. What it answers is tested in packages/serve.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { ambryCli, cliArgs } from '../../support/cli/cli.ts';
import { endId, languageFile } from '../../support/files/language-file.ts';
import { folderForAllTests } from '../../support/for-all-tests.ts';
import { chatFile } from '../../support/models/tool-models.ts';
import { smallModel } from '../../support/package.ts';
import { ByteServer } from '../../support/servers/byte-server.ts';

const dist = fileURLToPath(new URL('../../../../dist/', import.meta.url));
const folder = folderForAllTests('ambry-serve');
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  await writeFile(at('chat.amb'), chatFile());
  await writeFile(at('long.amb'), languageFile({ layers: 4, width: 256, context: 8192 }));
  await writeFile(at('minilm.weights'), await smallModel());
  await writeFile(at('bad.amb'), new Uint8Array(100));
});

/** Waits until the models are open. `stop` sends the signal and resolves to the exit code. */
async function serving(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child: ChildProcess = spawn(
    process.execPath,
    [...cliArgs, 'serve', ...args, '--port', '0', '--json'],
    { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const closed = once(child, 'close');
  const firstLine = async (stream: NodeJS.ReadableStream | null) =>
    String(await once(createInterface(stream as NodeJS.ReadableStream), 'line'));
  const [line, note] = await Promise.all([firstLine(child.stdout), firstLine(child.stderr)]);
  expect(note).toBe('All models are open.');
  const { url, models } = JSON.parse(line) as { url: string; models: string[] };
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await closed)[0] as number | null;
  };
  return { url, models, stop };
}

function post(url: string, body: object | string): Promise<Response> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', body: sent });
}

/** The requests that docs/serving.md shows: paths and bodies. */
async function documentedRequests(): Promise<[string, string][]> {
  const page = await readFile(new URL('../../../../docs/serving.md', import.meta.url), 'utf8');
  const lines = page.matchAll(/^curl http:\/\/127\.0\.0\.1:8080(\S+) -d '(.*)'$/gm);
  return [...lines].map(([, path = '', body = '']) => [path, body]);
}

describe('ambry serve', () => {
  test('serves several models by their names until a signal', async () => {
    const args = ['chat.amb', 'vectors=minilm.weights', '--threads', '1', '--max-tokens', '3'];
    const { url, models, stop } = await serving(args);
    expect(models).toEqual(['chat', 'vectors']);
    const embedded = await post(`${url}/v1/embeddings`, { model: 'vectors', input: 'the cat' });
    expect(embedded.status).toBe(200);
    const messages = [{ role: 'user', content: 'Hi' }];
    const answered = await post(`${url}/api/chat`, { model: 'chat', messages, stream: false });
    expect(await answered.json()).toMatchObject({ done: true, eval_count: 3 });
    expect(await stop('SIGTERM')).toBe(0);
  });

  test('answers the requests of its page', async () => {
    const { url, stop } = await serving(['chat=chat.amb', 'minilm.weights']);
    const requests = await documentedRequests();
    expect(requests.length).toBeGreaterThan(2);
    for (const [path, body] of requests) {
      const response = await post(url + path, body);
      expect(response.status, path).toBe(200);
      expect(await response.text()).not.toMatch(/"error":[{"]/);
    }
    expect(await stop('SIGTERM')).toBe(0);
  });

  test('lets a running answer end after a signal', async () => {
    const { url, stop } = await serving(['long.amb']);
    const response = await post(`${url}/v1/completions`, {
      model: 'long',
      prompt: 'Once',
      stream: true,
      max_tokens: 150,
      logit_bias: { [endId]: -1000 },
    });
    const code = stop('SIGINT');
    expect((await response.text()).slice(-100)).toMatch(
      /"finish_reason":"length"\}\]\}\n\ndata: \[DONE\]\n\n$/,
    );
    expect(await code).toBe(0);
  });

  test('ends after a signal while a model is being opened', async () => {
    const silent = await ByteServer.start(() => {});
    const args = ['serve', `${silent.origin}/big.amb`, '--port', '0'];
    const child = spawn(process.execPath, [...cliArgs, ...args]);
    const err = text(child.stderr);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(await err).toBe('');
    await silent.close();
  });

  test('takes its key from the environment', async () => {
    const { url, stop } = await serving(['minilm.weights'], { AMBRY_API_KEY: 'secret' });
    expect((await fetch(`${url}/v1/models`)).status).toBe(401);
    const headers = { authorization: 'Bearer secret' };
    expect((await fetch(`${url}/v1/models`, { headers })).status).toBe(200);
    expect(await stop('SIGTERM')).toBe(0);
  });

  test('ends with 1 if a model cannot be opened', async () => {
    const { code, err } = await ambryCli(['serve', at('bad.amb'), '--port', '0']);
    expect(code).toBe(1);
    expect(err).toMatch(/^ambry: bad: [A-Z]\w+ at byte/);
  });
});

describe('bad usage', () => {
  test.each([
    [[], undefined, /0 arguments given/],
    [['none.amb'], undefined, /No such file/],
    [['chat.amb', 'chat=minilm.weights'], undefined, /Two models have the name chat/],
    [['chat.amb', '--max-body', '1GB'], '--max-body', /268435456/],
    [['chat.amb', '--allowed-host', 'a:1'], '--allowed-host[0]', /Must be a host name/],
    [['chat.amb', '--host', '0.0.0.0'], '--host', /Give it a key/],
  ])('%j ends with 2', async (args, path, message) => {
    const files = args.map((arg) => arg.replace(/^(?=\w+\.(amb|weights)$)/, `${folder}/`));
    const { code, json } = await ambryCli(['serve', ...files, '--json']);
    expect(code).toBe(2);
    const [{ error }] = json() as [{ error: { path?: string; message: string } }];
    expect(error.path).toBe(path);
    expect(error.message).toMatch(message);
  });

  test('a port that is in use ends with 2', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, err } = await ambryCli(['serve', at('chat.amb'), '--port', String(port)]);
    other.close();
    expect(code).toBe(2);
    expect(err).toMatch(/--port: .*EADDRINUSE.*Choose another port/);
  });

  test('without the package ambry-serve, the error says how to install it', async () => {
    const alone = at('node_modules/ambry');
    const isWanted = (path: string) => !/\/dist\/(site|wasm)$/.test(path);
    await cp(dist, join(alone, 'dist'), { recursive: true, filter: isWanted });
    await writeFile(
      join(alone, 'package.json'),
      await readFile(join(dist, '../package.json'), 'utf8'),
    );
    const main = join(alone, 'dist/cli/main.js');
    const child = spawn(process.execPath, [main, 'serve', at('chat.amb'), '--json']);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const [code] = await once(child, 'close');
    expect(JSON.parse(line).error).toMatchObject({
      code: 'NotFound',
      message: expect.stringContaining('npm install ambry-serve'),
    });
    expect(code).toBe(2);
  });
});
