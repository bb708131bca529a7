// Directories whose model lies in a folder that modules.json names, as older sentence-transformers saved it: `0_Transformer`,
// or any other.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Files, onServer } from '../support/directories/model-directories.ts';
import { staticEmbeddingDirectory } from '../support/directories/static-directories.ts';
import { modelDirectory, shardedDirectory } from '../support/fixtures.ts';
import { ambry } from '../support/package.ts';
import { startHub } from '../support/servers/server.ts';

const { open, openTokenizer, runReport, validate } = ambry;
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const text = 'the cat sat';

async function vectorOf(files: Files | string, more: object = {}): Promise<Float32Array> {
  await using model = await open(files, { kind: 'encoder', ...more });
  return await model.embed(text);
}
const expected = await vectorOf(modelDirectory());

/** The first version's config.json at the top says nothing of the model. */
function inFolder(folder: string, whole: Files = modelDirectory()) {
  const files = new Map(
    [...whole].map(([name, bytes]) => [name.includes('/') ? name : `${folder}/${name}`, bytes]),
  );
  const type = (name: string) => `sentence_transformers.models.${name}`;
  const modules = [
    { path: folder, type: type('Transformer') },
    { path: '1_Pooling', type: type('Pooling') },
    { path: '2_Normalize', type: type('Normalize') },
  ];
  return files
    .set('modules.json', encode(modules))
    .set('config.json', encode({ __version__: '0.2.4' }));
}

const folders: Readonly<Record<string, Files>> = {
  '0_Transformer': inFolder('0_Transformer'),
  'own.model, in shards': inFolder('own.model', shardedDirectory()),
};

describe.each(Object.entries(folders))('%s', (_, files) => {
  test('opens from memory and from blobs', async () => {
    expect(await vectorOf(files)).toEqual(expected);
    const blobs = [...files].map(
      ([path, bytes]) => [`dropped/${path}`, new Blob([bytes])] as const,
    );
    expect(await vectorOf(new Map(blobs) as unknown as Files)).toEqual(expected);
  });

  test('opens from disk', async () => {
    const root = mkdtempSync(join(tmpdir(), 'ambry-'));
    for (const [path, bytes] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), bytes);
    }
    expect(await vectorOf(root)).toEqual(expected);
    const { obstacle, warnings } = await runReport(root);
    expect(obstacle).toBe(null);
    expect(warnings.filter(({ message }) => message.includes('not read'))).toEqual([]);
    expect((await validate(root)).valid).toBe(true);
    rmSync(root, { recursive: true });
  });

  test('opens by its address', async () => {
    const server = await onServer(files);
    expect(await vectorOf(server.url)).toEqual(expected);
    expect((await validate(server.url, { checksums: true })).valid).toBe(true);
    await using tokenizer = await openTokenizer(server.url);
    expect((await tokenizer.tokenize(text)).ids.length).toBeGreaterThan(3);
    server.close();
  });

  test('opens by its name at the hub', async () => {
    const hub = await startHub();
    hub.add('owner/old', files);
    hub.add('owner/many', new Map([...files].map(([path, bytes]) => [`small/${path}`, bytes])));
    const options = { hub: { endpoint: hub.endpoint } };
    expect(await vectorOf('hf:owner/old', options)).toEqual(expected);
    expect(await vectorOf('hf:owner/many/small', options)).toEqual(expected);
  });
});

describe('a static encoder in a folder of its own', () => {
  const files = staticEmbeddingDirectory('embedding');
  const server = onServer(files);
  afterAll(async () => (await server).close());

  test('opens by its address and by its name at the hub', async () => {
    const wanted = await vectorOf(staticEmbeddingDirectory());
    expect(await vectorOf(files)).toEqual(wanted);
    expect(await vectorOf((await server).url)).toEqual(wanted);
    const hub = await startHub();
    hub.add('owner/static', files);
    expect(await vectorOf('hf:owner/static', { hub: { endpoint: hub.endpoint } })).toEqual(wanted);
  });
});

describe('a folder outside of the directory', () => {
  test.each(['../other', '/etc', '..', 'a/../../b'])('%s is not asked for', async (path) => {
    const type = 'sentence_transformers.models.Transformer';
    const files = modelDirectory().set('modules.json', encode([{ path, type }]));
    const server = await onServer(files);
    await expect(open(server.url)).rejects.toThrow();
    expect(server.asked().filter((asked) => !asked.startsWith('/models/small/'))).toEqual([]);
    server.close();
  });
});

test('an unknown first module is named, and not a missing file', async () => {
  const type = 'sentence_transformers.models.WordEmbeddings';
  const files = inFolder('0_WordEmbeddings').set(
    'modules.json',
    encode([{ path: '0_WordEmbeddings', type }]),
  );
  const server = await onServer(files);
  await expect(open(server.url)).rejects.toMatchObject({ path: 'modules.json[0].type' });
  server.close();
});
