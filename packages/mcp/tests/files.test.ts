// Which files the tools read, and what they say of them.
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { modelDirectory } from '../../../tests/web/support/fixtures.ts';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { smallModel } from '../../../tests/web/support/package.ts';
import { ByteServer, contentOf } from '../../../tests/web/support/servers/byte-server.ts';
import { localClient } from './support/clients.ts';
import { testFolder } from './support/test-folder.ts';

const { at } = await testFolder();
const own = await forAllTests(localClient({ files: { folders: [at('allowed'), at('links')] } }));
const inspected = (path: string, more = {}) => own.call('inspect_model', { path, ...more });
const refused = (path: string) => own.failure('inspect_model', { path });

describe('a path', () => {
  test.each([
    'tiny.weights',
    'inner/tiny.weights',
    'inner/../tiny.weights',
    at('allowed/tiny.weights'),
  ])('%s is read', async (path) => expect((await inspected(path))['format']).toBe('embd'));

  test.each([
    '../outside/secret.weights',
    at('outside/secret.weights'),
    '/etc/passwd',
    '..',
    'none.weights',
    'tiny.weights\0.txt',
    'secret.weights',
  ])('%s is not there', async (path) => {
    expect(await refused(path)).toMatch(/^NotFound path: There is no .*--files/);
    expect(await own.failure('validate_model', { path })).toMatch(/^NotFound path/);
  });

  test.each([
    'file:///etc/passwd',
    'ftp://example.org/a',
    'data:,a',
  ])('%s is no path', async (path) => expect(await refused(path)).toMatch(/^Unsupported path/));

  test('beside a link that leads elsewhere is not read', async () => {
    expect(await refused(at('links/tiny.weights'))).toMatch(/The link secret.weights leads out/);
    await mkdir(at('allowed/stray/1_Pooling'), { recursive: true });
    await symlink(at('outside'), at('allowed/stray/1_Pooling/other'));
    expect(await refused('stray')).toMatch(/The link other leads out/);
  });

  test('that a link within the folders has is read', async () => {
    await mkdir(at('allowed/linked'));
    await symlink(at('allowed/tiny.weights'), at('allowed/linked/here.weights'));
    expect((await inspected('linked/here.weights'))['format']).toBe('embd');
  });

  test('of no file is refused', async () => {
    await mkdir(at('allowed/pipes'));
    execFileSync('mkfifo', [at('allowed/pipes/p')]);
    expect(await refused('pipes/p')).toMatch(/no file and no directory/);
  });
});

describe('an address', () => {
  test('is read only where that is allowed', async () => {
    const server = await ByteServer.start();
    server.serve('m.weights', { content: contentOf(await smallModel()), etag: '"1"' });
    const path = `${server.origin}/m.weights`;
    expect(await refused(path)).toMatch(/--allow-addresses/);
    expect(await refused('hf:owner/name')).toMatch(/--allow-addresses/);
    await using open = await localClient({ files: { folders: [], addresses: true } });
    expect((await open.call('inspect_model', { path }))['format']).toBe('embd');
    const [tool] = (await open.client.listTools()).tools;
    expect(tool?.annotations?.openWorldHint).toBe(true);
    expect(await open.failure('inspect_model', { path: `${server.origin}/no` })).toMatch(/^Http/);
    await server.close();
  });
});

describe('a damaged file', () => {
  test('is reported with the byte', async () => {
    const { valid, errors } = await own.call('validate_model', { path: 'damaged.weights' });
    expect(valid).toBe(false);
    expect(errors[0]).toMatchObject({ code: expect.any(String), byteOffset: expect.any(Number) });
    expect(await refused('damaged.weights')).toMatch(/^\w+ at byte \d+/);
    await writeFile(at('allowed/empty.weights'), '');
    expect(await refused('empty.weights')).toMatch(/^\w+/);
  });
});

describe('a directory', () => {
  test('says what it runs as', async () => {
    for (const [name, bytes] of modelDirectory()) {
      await mkdir(at(`allowed/tiny/${name}/..`), { recursive: true });
      await writeFile(at(`allowed/tiny/${name}`), bytes);
    }
    const { run, files } = await inspected('tiny');
    expect(run).toMatchObject({ runs: true, kind: 'encoder', converts: true });
    expect(files.length).toBeGreaterThan(2);
    expect((await own.call('validate_model', { path: 'tiny' }))['valid']).toBe(true);
    const tensors = own.failure('inspect_model', { path: 'tiny', tensors: true });
    expect(await tensors).toMatch(/no table of tensors/);
    expect(await refused('inner')).toMatch(/^\w+/);
  });
});

describe('a long answer', () => {
  test('lists tensors in parts', async () => {
    await using short = await localClient({ files: { folders: [at('allowed')] }, maxResult: 2000 });
    const seen: string[] = [];
    for (let from = 0; from !== undefined; ) {
      const info = await short.call('inspect_model', { path: 'tiny.weights', tensors: true, from });
      expect(JSON.stringify(info).length).toBeLessThan(3000);
      expect(info['metadataLeftOut']).toBeGreaterThan(0);
      seen.push(...info['tensorList'].map((tensor: { name: string }) => tensor.name));
      from = info['nextFrom'];
    }
    const whole = await inspected('tiny.weights', { tensors: true });
    expect(seen).toEqual(whole['tensorList'].map((tensor: { name: string }) => tensor.name));
    expect(whole['tensors'].count).toBe(seen.length);
  });
});

test('a folder that is not there is an error', async () => {
  await using none = await localClient({ files: { folders: [at('none')] } });
  expect(await none.failure('inspect_model', { path: 'a' })).toMatch(/There is no folder/);
});
