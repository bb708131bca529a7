// `ambry pull`: files in the cache, where other commands find them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { ambryCli, cliArgs } from '../../support/cli/cli.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { cliIn } from '../../support/cli/shared-cli.ts';
import { modelDirectory, shardedDirectory } from '../../support/fixtures.ts';
import { commitOf } from '../../support/servers/hub-server.ts';
import { startHub } from '../../support/servers/server.ts';

const { at, file } = await cliFolder();
const hub = await startHub();
const single = new Map([
  ['README.md', new Uint8Array(5)],
  ['folder/notes.txt', new Uint8Array(7)],
  ['model.weights', file],
]);
const commit = commitOf(single);
hub.add('owner/single', single);
hub.add('owner/bert', modelDirectory());
hub.add('owner/gated', single, { token: 'hf_secret' });
beforeEach(() => hub.forget());

interface Pulled {
  readonly source: string;
  readonly commit: string | null;
  readonly files: readonly { file: string; url: string; bytes: number; path: string }[];
}

const env = { HF_ENDPOINT: hub.endpoint };
const shared = cliIn(() => ({ env: { ...process.env, ...env } }));
const ambry = (args: readonly string[], more?: Readonly<Record<string, string>>) =>
  more ? ambryCli(args, undefined, { ...env, ...more }) : shared(args);

async function pull(args: readonly string[]): Promise<Pulled> {
  const { code, json, err } = await ambry(['pull', ...args, '--json']);
  expect(code, err).toBe(0);
  return json()[0] as Pulled;
}
const namesOf = ({ files }: Pulled) => files.map((kept) => kept.file).sort();

describe('pull', () => {
  test('keeps the file that would be opened, and says where', async () => {
    const cache = ['--cache', at('one')];
    const pulled = await pull(['hf:owner/single', ...cache]);
    const [model] = pulled.files;
    expect(pulled).toMatchObject({ source: 'hf:owner/single', commit });
    expect(namesOf(pulled)).toEqual(['model.weights']);
    expect(model?.url).toBe(`${hub.endpoint}/owner/single/resolve/${commit}/model.weights`);
    expect(model?.path.startsWith(at('one'))).toBe(true);
    expect(new Uint8Array(await readFile(model?.path ?? ''))).toEqual(file);

    hub.forget();
    const { out } = await ambry(['pull', 'hf:owner/single', ...cache]);
    expect(out).toContain(`hf:owner/single at ${commit}`);
    expect(out).toContain(`model.weights  ${(file.length / 1000).toFixed(1)} kB  ${model?.path}`);
    expect(hub.fetched).toEqual([]);
  });

  test('with --follow-base keeps the files of the base, which other commands then find', async () => {
    const files = new Map([['onnx/model.onnx', new Uint8Array(9)]]);
    const cardData = { base_model: 'owner/single' };
    const list = (_: string, body: unknown) => ({ ...(body as object), cardData });
    hub.add('owner/onnx', files, { list });
    const cache = ['--cache', at('base')];
    const { code, err } = await ambry(['pull', 'hf:owner/onnx', ...cache]);
    expect(code).toBe(2);
    expect(err).toContain('Open hf:owner/single, or give the option followBase');
    const pulled = await pull(['hf:owner/onnx', '--follow-base', ...cache]);
    expect(pulled).toMatchObject({ source: 'hf:owner/single', commit });
    expect(namesOf(pulled)).toEqual(['model.weights']);
    hub.forget();
    const args = ['embed', 'hf:owner/onnx', 'the cat', '--follow-base', '--json', ...cache];
    expect((await ambry(args)).code).toBe(0);
    expect(hub.fetched).toEqual([]);
  });

  test('keeps of the weights the files that the index names', async () => {
    const whole = modelDirectory().get('model.safetensors') as Uint8Array<ArrayBuffer>;
    hub.add('owner/shards', new Map([['consolidated.safetensors', whole], ...shardedDirectory()]));
    const names = namesOf(await pull(['hf:owner/shards', '--cache', at('shards')]));
    expect(names.filter((name) => name.endsWith('.safetensors'))).toEqual([
      'model-00001-of-00002.safetensors',
      'model-00002-of-00002.safetensors',
    ]);
  });

  test('keeps the files of a directory that a job reads', async () => {
    const cache = ['--cache', at('directory')];
    expect(namesOf(await pull(['hf:owner/bert', ...cache]))).toEqual(
      [...modelDirectory().keys()].sort(),
    );
    hub.forget();
    const args = ['convert', 'hf:owner/bert', at('pulled.weights'), ...cache];
    expect((await ambry(args)).code).toBe(0);
    expect(hub.paths).toHaveLength(1);
    expect((await readFile(at('pulled.weights'))).length).toBeGreaterThan(file.length / 2);
  });

  test('takes files and a revision', async () => {
    const cache = ['--cache', at('files')];
    const named = ['--file', 'README.md', '--file', 'folder/notes.txt'];
    const pulled = await pull(['hf:owner/single', '--revision', commit, ...named, ...cache]);
    expect(namesOf(pulled)).toEqual(['README.md', 'folder/notes.txt']);
    expect(hub.paths[0]).toContain(`/revision/${commit}?`);
  });

  test('takes a URL', async () => {
    const url = `${hub.endpoint}/owner/single/resolve/main/model.weights`;
    const pulled = await pull([url, '--cache', at('url')]);
    expect(pulled).toMatchObject({ source: url, commit: null });
    expect(namesOf(pulled)).toEqual(['model.weights']);
  });

  test('downloads a damaged file again', async () => {
    const cache = ['--cache', at('damaged')];
    const [model] = (await pull(['hf:owner/single', ...cache])).files;
    const bytes = file.slice();
    bytes[9] = (bytes[9] ?? 0) ^ 1;
    await writeFile(model?.path ?? '', bytes);
    await pull(['hf:owner/single', ...cache]);
    expect(new Uint8Array(await readFile(model?.path ?? ''))).toEqual(file);
  });

  test('continues after a signal', async () => {
    const part = 70_000;
    let stalls = true;
    hub.add('owner/slow', single, {
      manners: () => (stalls ? { stallAfter: () => part } : {}),
    });
    const args = ['pull', 'hf:owner/slow', '--cache', at('slow')];
    const child = spawn(process.execPath, [...cliArgs, ...args], {
      env: { ...process.env, ...env },
    });
    const closed = once(child, 'close');
    await expect.poll(() => hub.fetched[0]?.sent, { timeout: 50_000 }).toBe(part);
    const { url, path } = await fileOf('owner/slow', at('slow'));
    await expect
      .poll(async () => (await stat(path).catch(() => null))?.size, { timeout: 50_000 })
      .toBe(part);
    child.kill('SIGTERM');
    expect(await closed).toEqual([143, null]);

    stalls = false;
    hub.forget();
    const pulled = await pull(['hf:owner/slow', '--cache', at('slow')]);
    expect(pulled.files).toMatchObject([{ url, path, bytes: file.length }]);
    expect(hub.fetched.map(({ range }) => range)).toEqual([`bytes=${part}-${file.length - 1}`]);
  }, 120_000);

  test('takes a token from the environment or from the option', async () => {
    const args = ['hf:owner/gated', '--cache', at('gated')];
    const { code, json } = await ambry(['pull', ...args, '--json']);
    expect(code).toBe(2);
    expect(json()).toMatchObject([{ error: { code: 'Http', path: 'hub.token' } }]);
    const { code: second, err } = await ambry(['pull', ...args], { HF_TOKEN: 'hf_secret' });
    expect(second, err).toBe(0);
    await pull([...args, '--token', 'hf_secret']);
    for (const { authorization } of hub.fetched) {
      expect(authorization).toBe(undefined);
    }
  });

  test.each([
    [['model.weights'], 'BadValue'],
    [['hf:owner'], 'BadValue'],
    [['hf:owner/single@main', '--revision', 'main'], '--revision'],
    [['hf:owner/single/model.weights', '--file', 'x'], '--file'],
    [['https://x.invalid/m.gguf', '--file', 'x'], '--file'],
    [['hf:owner/single', '--cache', ''], '--cache'],
    [['hf:owner/single', '--endpoint', 'ftp://x'], 'hub.endpoint'],
  ])('%j is bad usage', async (args, word) => {
    const { code, out } = await ambry(['pull', ...args, '--json']);
    expect(out).toContain(word);
    expect(out).toContain('"error"');
    expect(code).toBe(2);
    expect(hub.paths).toEqual([]);
  });
});

async function fileOf(repository: string, directory: string) {
  const { json } = await ambry(['cache', 'list', '--cache', directory, '--json']);
  const [entry] = json()[0] as { url: string }[];
  expect(entry?.url).toContain(`/${repository}/resolve/`);
  const { keyOf } = await import('../../../../web/src/sources/cache/store.ts');
  const url = entry?.url ?? '';
  return { url, path: `${directory}/${await keyOf(url)}.bin` };
}

describe('commands', () => {
  test('take names, and find what was pulled', async () => {
    const cache = ['--cache', at('used')];
    const args = ['embed', 'hf:owner/single', '--text', 'the cat', '--json', ...cache];
    const before = await ambry(args);
    expect(before.code, before.err).toBe(0);
    expect(hub.fetched.length).toBeGreaterThan(0);
    await expect(stat(at('used'))).rejects.toMatchObject({ code: 'ENOENT' });

    await pull(['hf:owner/single', ...cache]);
    hub.forget();
    const after = await ambry(args);
    expect(after.out).toBe(before.out);
    expect(hub.fetched).toEqual([]);
  });

  test.each([
    ['inspect', ['hf:owner/single']],
    ['validate', ['hf:owner/single', 'hf:owner/bert']],
    ['metadata', ['hf:owner/single']],
    ['tokenize', ['hf:owner/bert', '--text', 'the cat']],
    ['quantize', ['hf:owner/bert', at('small.weights'), '--type', 'int8']],
  ])('%s takes names', async (name, args) => {
    const { code, err } = await ambry([name, ...args, '--cache', at('none')]);
    expect(code, err).toBe(0);
  });

  test('an index refers to its model by the name', async () => {
    await writeFile(at('docs.txt'), 'the cat sat on the mat.');
    const index = at('docs.ambryindex');
    const made = await ambry(['index', 'hf:owner/single', at('docs.txt'), index]);
    expect(made.code, made.err).toBe(0);
    const found = await ambry(['search', index, 'cat', '--json']);
    expect(found.code, found.err).toBe(0);
    expect(hub.paths.filter((path) => path.startsWith('/api/'))).toHaveLength(2);
  });
});

describe('cache', () => {
  test('lists and removes', async () => {
    const cache = ['--cache', at('listed')];
    await pull(['hf:owner/single', ...cache]);
    await pull(['hf:owner/bert', ...cache]);
    const list = async () => (await ambry(['cache', 'list', ...cache, '--json'])).json()[0];
    const count = 1 + modelDirectory().size;
    expect(await list()).toHaveLength(count);
    const { json } = await ambry(['cache', 'remove', 'hf:owner/bert', ...cache, '--json']);
    expect(json()[0]).toHaveLength(count - 1);
    const [entry] = (await list()) as { url: string }[];
    expect((await ambry(['cache', 'list', ...cache])).out).toContain(entry?.url);
    expect((await ambry(['cache', 'remove', entry?.url ?? '', ...cache])).out).toContain('1 file');
    expect(await list()).toEqual([]);
  });

  test.each([
    [['remove']],
    [['list', '--all']],
    [['remove', 'x y']],
    [['lst']],
  ])('%j is bad usage', async (args) => {
    expect((await ambry(['cache', ...args, '--cache', at('bad')])).code).toBe(2);
  });

  test('shows a part of a download', async () => {
    const cache = ['--cache', at('parts')];
    const [model] = (await pull(['hf:owner/single', ...cache])).files;
    await truncate(model?.path ?? '', 10);
    const { json } = await ambry(['cache', 'list', ...cache, '--json']);
    expect(json()[0]).toMatchObject([{ bytes: 10, size: file.length }]);
  });
});
