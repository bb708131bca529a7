// The program `ambry-serve`, the way people run it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languageFile } from '../../../tests/web/support/language-file.ts';
import { smallModel } from '../../../tests/web/support/package.ts';
import { chatFile } from '../../../tests/web/support/tool-models.ts';
import { splitArgument } from '../src/model-arguments.ts';
import { eventually, post } from './support/test-server.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-serve-'));
  await writeFile(join(folder, 'chat.amb'), chatFile());
  await writeFile(join(folder, 'long.amb'), languageFile({ layers: 4, width: 256, context: 8192 }));
  await writeFile(join(folder, 'minilm.weights'), await smallModel());
});
afterAll(() => rm(folder, { recursive: true }));

function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Waits until it listens. `stop` sends the signal and resolves to the exit code. */
async function listening(args: readonly string[], env?: Record<string, string>) {
  const child = start([...args, '--port', '0', '--json'], env);
  const closed = once(child, 'close');
  const [line] = await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data');
  const { url, models } = JSON.parse(String(line)) as { url: string; models: string[] };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    const [code] = await closed;
    return code as number | null;
  };
  return { url, models, stop };
}

async function ended(args: readonly string[]): Promise<{ code: number; err: string }> {
  const child = start(args);
  const err = text(child.stderr as NonNullable<ChildProcess['stderr']>);
  const [code] = await once(child, 'close');
  return { code: code as number, err: await err };
}

const ready = async (url: string) => (await fetch(`${url}/health`)).status;

test('several models are served by their names until a signal', async () => {
  const { url, models, stop } = await listening([
    'chat.amb',
    'vectors=minilm.weights',
    '--threads',
    '1',
  ]);
  expect(models).toEqual(['chat', 'vectors']);
  await eventually(() => ready(url)).toBe(200);
  const embedded = await post(`${url}/v1/embeddings`, { model: 'vectors', input: 'the cat' });
  expect(embedded.status).toBe(200);
  const answered = await post(`${url}/api/chat`, {
    model: 'chat',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: false,
    options: { num_predict: 3 },
  });
  expect((await answered.json()).done).toBe(true);
  expect(await stop()).toBe(0);
});

test('a signal lets a running answer end', async () => {
  const { url, stop } = await listening(['long.amb']);
  await eventually(() => ready(url)).toBe(200);
  const response = await post(`${url}/v1/completions`, {
    model: 'long',
    prompt: 'Once',
    stream: true,
    max_tokens: 150,
    logit_bias: { 257: -1000 },
  });
  const code = stop('SIGINT');
  expect((await response.text()).slice(-100)).toMatch(
    /"finish_reason":"length"\}\]\}\n\ndata: \[DONE\]\n\n$/,
  );
  expect(await code).toBe(0);
});

test('the key comes from the environment', async () => {
  const { url, stop } = await listening(['minilm.weights'], { AMBRY_API_KEY: 'secret' });
  expect((await fetch(`${url}/v1/models`)).status).toBe(401);
  const headers = { authorization: 'Bearer secret' };
  expect((await fetch(`${url}/v1/models`, { headers })).status).toBe(200);
  expect(await stop()).toBe(0);
});

describe('bad usage', () => {
  test.each([
    [[], /0 models were given/],
    [['chat.amb', '--prot', '80'], /--prot/],
    [['chat.amb', '--port', 'http'], /--port must be an integer/],
    [['chat.amb', '--max-body', 'much'], /--max-body must be a size/],
    [['chat.amb', '--request-timeout', '0'], /--request-timeout must be a number of seconds/],
    [['chat.amb', '--kv', 'f64'], /--kv must be one of f32, f16, int8/],
    [['chat.amb', 'chat=minilm.weights'], /has the name chat twice/],
    [['chat.amb', '--host', '0.0.0.0'], /Set an API key/],
  ])('%j ends with 2', async (args, message) => {
    const { code, err } = await ended(args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('a model that is missing ends with 1', async () => {
    const { code, err } = await ended(['none.amb', '--port', '0']);
    expect(code).toBe(1);
    expect(err).toMatch(/^none: NotFound.*none\.amb/);
  });
});

test.each([
  ['models/chat.q4.gguf', 'chat.q4', 'models/chat.q4.gguf'],
  ['minilm/', 'minilm', 'minilm/'],
  ['a=b/c.amb', 'a', 'b/c.amb'],
  ['x/a=b.amb', 'a=b', 'x/a=b.amb'],
  ['hf:owner/name@main', 'name', 'hf:owner/name@main'],
  ['hf:owner/name/file.gguf', 'file', 'hf:owner/name/file.gguf'],
  ['https://example.org/m/model.amb?v=1', 'model', 'https://example.org/m/model.amb?v=1'],
  ['c=hf:owner/name', 'c', 'hf:owner/name'],
])('%s has the name %s', (argument, name, source) => {
  expect(splitArgument(argument)).toEqual({ name, source });
});
