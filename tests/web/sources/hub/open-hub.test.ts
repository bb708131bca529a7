// Names at the hub in the calls of the package, against a hub that redirects to another host.
import { beforeEach, describe, expect, test } from 'vitest';
import type { FetchOptions } from '../../../../web/src/entries/types.ts';
import { layersOnnx } from '../../support/files/onnx-file.ts';
import { unitRow, wordFile } from '../../support/files/word-files.ts';
import { modelDirectory } from '../../support/fixtures.ts';
import { folderForAllTests } from '../../support/for-all-tests.ts';
import { ambry, smallModel } from '../../support/package.ts';
import { commitOf, sha256Of } from '../../support/servers/hub-server.ts';
import { startHub } from '../../support/servers/server.ts';

const hub = await startHub();
const file = await smallModel();
const directory = modelDirectory();
const folder = folderForAllTests('ambry-hub');

const token = 'hf_secret';
const single = new Map([
  ['README.md', new Uint8Array(5)],
  ['model.weights', file],
]);
const options: FetchOptions = { hub: { endpoint: hub.endpoint } };
const withToken: FetchOptions = { hub: { endpoint: hub.endpoint, token } };

hub.add('owner/single', single);
hub.add('owner/bert', directory);
hub.add('owner/gated', single, { token, isListPublic: true });
beforeEach(() => hub.forget());

async function vectorOf(name: string, more: FetchOptions = options) {
  await using model = await ambry.open(name, { kind: 'encoder', ...more });
  return await model.embed(['the cat sat.']);
}
const expected = await (async () => {
  await using model = await ambry.open(file, { kind: 'encoder' });
  return await model.embed(['the cat sat.']);
})();

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('open', () => {
  test.each([
    'hf:owner/single',
    'hf:owner/single@main',
    'hf:owner/single/model.weights',
    `hf:owner/single@${commitOf(single)}/model.weights`,
  ])('%s', async (name) => {
    expect(await vectorOf(name)).toEqual(expected);
    const address = `/owner/single/resolve/${commitOf(single)}/model.weights`;
    expect(hub.paths.filter((path) => !path.startsWith('/api/'))).toContain(address);
    expect(hub.paths.every((path) => path.startsWith('/api/') || path === address)).toBe(true);
  });

  test('finds out the kind, and reads only that file', async () => {
    await using model = await ambry.open('hf:owner/single', options);
    expect(model.kind).toBe('encoder');
    expect(hub.paths.some((path) => path.includes('README'))).toBe(false);
  });

  test('continues a download that breaks, although the redirect has another address', async () => {
    hub.add('owner/broken', single, {
      manners: (_, n) => ({
        dropAfter: (_request, begin) => (begin < 60_000 ? 70_000 : undefined),
        ranges: n >= 0,
      }),
    });
    expect(file.length).toBeGreaterThan(70_000);
    expect(await vectorOf('hf:owner/broken')).toEqual(expected);
    expect(hub.fetched.length).toBeGreaterThan(1);
  });

  test('refuses a file whose SHA-256 is not that of the list', async () => {
    const damaged = file.slice();
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    hub.add('owner/damaged', new Map([['model.weights', damaged]]), {
      list: (_, body) =>
        JSON.parse(JSON.stringify(body).replaceAll(sha256Of(damaged), sha256Of(file))),
    });
    expect(await failureOf(vectorOf('hf:owner/damaged'))).toMatchObject({
      code: 'Mismatch',
      path: 'sha256',
    });
  });

  test('says what to do with a gated file whose list is public', async () => {
    expect(await failureOf(vectorOf('hf:owner/gated'))).toMatchObject({
      code: 'Http',
      message: expect.stringMatching(/401.*token/),
    });
  });

  test('asks nobody if the name is none', async () => {
    const error = await failureOf(ambry.open('hf:owner', options));
    expect(error).toMatchObject({ code: 'BadValue', path: 'source' });
    expect(hub.paths).toEqual([]);
  });
});

describe('followBase', () => {
  const cardData = { base_model: 'owner/bert' };
  hub.add('owner/onnx', new Map([['onnx/model.onnx', new Uint8Array(9)]]), {
    list: (_, body) => ({ ...(body as object), cardData }),
  });

  test.each<[string, (name: string, how: FetchOptions) => Promise<unknown>]>([
    ['open', (name, how) => vectorOf(name, how)],
    ['convert', (name, how) => ambry.convert(name, how)],
    [
      'quantize',
      (name, how) => ambry.quantize(name, { type: 'int8', to: 'embd', texts: [], ...how }),
    ],
    ['validate', (name, how) => ambry.validate(name, how)],
    ['runReport', (name, how) => ambry.runReport(name, how)],
    ['conversionTargets', (name, how) => ambry.conversionTargets(name, how)],
  ])('%s', async (_, run) => {
    expect(await failureOf(run('hf:owner/onnx', options))).toMatchObject({
      code: 'Unsupported',
      path: 'source',
    });
    await run('hf:owner/onnx', { ...options, followBase: true });
  });
});

describe('ONNX that does not open', () => {
  const files = new Map([...modelDirectory(), ['onnx/model.onnx', layersOnnx(2)] as const]);
  files.delete('model.safetensors');
  const cardData = { base_model: 'owner/bert' };
  const list = (_: string, body: unknown) => ({ ...(body as object), cardData });
  hub.add('owner/onnx-model', files, { list });
  hub.add('owner/onnx-alone', files);

  test.each<[string, (name: string) => Promise<unknown>]>([
    ['open', (name) => vectorOf(name)],
    ['convert', (name) => ambry.convert(name, { ...options, to: 'embd' })],
  ])('%s also names the repository with other weights', async (_, run) => {
    const message = /owner\/onnx-model has no other weights\. .*Open hf:owner\/bert/;
    expect(await failureOf(run('hf:owner/onnx-model'))).toMatchObject({
      message: expect.stringMatching(message),
    });
    const alone = await failureOf(run('hf:owner/onnx-alone'));
    expect(alone).toMatchObject({ message: expect.not.stringContaining('hf:') });
  });

  test('is not asked for with followBase', async () => {
    expect(await vectorOf('hf:owner/onnx-model', { ...options, followBase: true })).toEqual(
      expected,
    );
    expect(hub.paths.some((path) => path.includes('.onnx'))).toBe(false);
  });
});

describe('a token', () => {
  test('is sent to the hub, and not to the host that it redirects to', async () => {
    expect(await vectorOf('hf:owner/gated', withToken)).toEqual(expected);
    expect(hub.requests.map(({ authorization }) => authorization)).toEqual(
      hub.requests.map(() => `Bearer ${token}`),
    );
    expect(hub.fetched.length).toBeGreaterThan(0);
    for (const { authorization } of hub.fetched) {
      expect(authorization).toBe(undefined);
    }
  });

  test('is not sent for a URL', async () => {
    const url = `${hub.endpoint}/owner/single/resolve/main/model.weights`;
    expect(await vectorOf(url, withToken)).toEqual(expected);
    for (const { authorization } of hub.requests) {
      expect(authorization).toBe(undefined);
    }
  });
});

describe('a branch that moves', () => {
  test('gives one version of all files', async () => {
    const { branches } = hub.add('owner/moving', modelDirectory(1), {
      list: (_, body) => {
        branches.set('before', modelDirectory(1)).set('main', modelDirectory(2));
        return body;
      },
    });
    const blob = await ambry.convert('hf:owner/moving', options);
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(file);
    const commit = commitOf(modelDirectory(1));
    const files = hub.paths.filter((path) => path.includes('/resolve/'));
    expect(files.length).toBeGreaterThan(3);
    for (const path of files) {
      expect(path).toContain(`/resolve/${commit}/`);
    }
  });
});

describe('other calls', () => {
  test('inspect reads the head by ranges', async () => {
    const info = await ambry.inspect('hf:owner/single', options);
    expect(info).toMatchObject({ format: 'embd', bytes: file.length });
    expect(hub.fetched.every(({ range }) => range !== undefined)).toBe(true);
  });

  test('validate', async () => {
    expect(await ambry.validate('hf:owner/single', options)).toMatchObject({ valid: true });
    const safetensors = await ambry.validate('hf:owner/bert/model.safetensors', options);
    expect(safetensors).toMatchObject({ valid: true, format: 'safetensors' });
  });

  test('convert and conversionTargets take a directory', async () => {
    const blob = await ambry.convert('hf:owner/bert', options);
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(file);
    const { from } = await ambry.conversionTargets('hf:owner/bert', options);
    expect(from).toBe('safetensors');
  });

  test('quantize looks the name up once', async () => {
    const { blob, agreement } = await ambry.quantize('hf:owner/bert', {
      ...options,
      type: 'int8',
      to: 'embd',
    });
    expect(blob?.size).toBeGreaterThan(0);
    expect(agreement).toMatchObject({ kind: 'embeddings' });
    expect(hub.paths.filter((path) => path.startsWith('/api/'))).toHaveLength(1);
  });

  test('openTokenizer takes the small files and no weights', async () => {
    await using tokenizer = await ambry.openTokenizer('hf:owner/bert', options);
    const { tokens } = await tokenizer.tokenize('The cat');
    expect(tokens).toEqual(['[CLS]', 'the', 'cat', '[SEP]']);
    const names = hub.paths.slice(1).map((path) => path.replace(/^.*\/|\?.*$/g, ''));
    expect(names).toContain('vocab.txt');
    expect(names).not.toContain('model.safetensors');
    await using own = await ambry.openTokenizer('hf:owner/single', options);
    expect(own.tokenizer?.type).toBeDefined();
  });
});

describe('the cache', () => {
  const cache = { directory: folder };

  test('keeps a file under its commit, and asks nobody for it again', async () => {
    expect(await vectorOf('hf:owner/single', { ...options, cache })).toEqual(expected);
    const url = `${hub.endpoint}/owner/single/resolve/${commitOf(single)}/model.weights`;
    expect(await ambry.cache.list(cache)).toMatchObject([
      { url, bytes: file.length, complete: true },
    ]);
    hub.forget();
    expect(await vectorOf('hf:owner/single', { ...options, cache })).toEqual(expected);
    expect(hub.paths).toEqual(['/api/models/owner/single/revision/main?blobs=true']);
    expect(hub.fetched).toEqual([]);
    await ambry.cache.clear(cache);
  });

  test('gives rows on demand from a file that it has', async () => {
    const words = ['east', 'north', 'west'];
    const vectors = wordFile({ words, dim: 4, row: (i) => unitRow(i, 4) });
    hub.add('owner/words', new Map([['vectors.fifu', vectors]]));
    const row = async () => {
      const how = { ...options, cache, mode: 'range' } as const;
      await using model = await ambry.open('hf:owner/words', how);
      return await model.vector('west');
    };
    const fetched = await row();
    await (await ambry.open('hf:owner/words', { ...options, cache })).dispose();
    hub.forget();
    expect(await row()).toEqual(fetched);
    expect(hub.fetched).toEqual([]);
    await ambry.cache.clear(cache);
  });

  test('keeps files that have only a weak ETag', async () => {
    await ambry.convert('hf:owner/bert', { ...options, cache });
    const kept = await ambry.cache.list(cache);
    expect(kept.map(({ url }) => url.replace(/^.*\/resolve\/[^/]+\//, ''))).toContain(
      'config.json',
    );
    hub.forget();
    await ambry.convert('hf:owner/bert', { ...options, cache });
    expect(hub.paths).toHaveLength(1);
    await ambry.cache.clear(cache);
  });

  test('is used and not filled with keep: false', async () => {
    const use = { directory: folder, keep: false };
    await vectorOf('hf:owner/single', { ...options, cache: use });
    expect(await ambry.cache.list(cache)).toEqual([]);
    await vectorOf('hf:owner/single', { ...options, cache });
    hub.forget();
    expect(await vectorOf('hf:owner/single', { ...options, cache: use })).toEqual(expected);
    expect(hub.fetched).toEqual([]);
    await ambry.cache.clear(cache);
  });

  test('continues a part of a download', async () => {
    let breaks = true;
    hub.add('owner/part', single, {
      manners: () => (breaks ? { dropAfter: () => 50_000, ranges: false } : {}),
    });
    const failed = await failureOf(vectorOf('hf:owner/part', { ...options, cache }));
    expect(failed).toMatchObject({ code: 'Http' });
    breaks = false;
    hub.forget();
    expect(await vectorOf('hf:owner/part', { ...options, cache })).toEqual(expected);
    expect(hub.fetched.map(({ range }) => range)).toEqual([
      expect.stringMatching(/^bytes=[1-9]\d*-/),
    ]);
    await ambry.cache.clear(cache);
  }, 120_000);
});
