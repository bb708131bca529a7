// Directories open as they are, from everywhere, and give what a conversion and an open give.
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  asPytorch,
  languageDirectory,
  onDisk,
  onServer,
} from '../support/directories/model-directories.ts';
import { languageFile } from '../support/files/language-file.ts';
import { modelDirectory, shardedDirectory } from '../support/fixtures.ts';
import { openEncoder, openGenerator } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const { open, convert } = ambry;
const texts = ['the cat sat on the mat', 'a dog ran home !'];
const clean: (() => unknown)[] = [];
afterAll(async () => {
  for (const each of clean) {
    await each();
  }
});

async function vectorsOfConverted(options = {}): Promise<Float32Array[]> {
  await using model = await openEncoder(await convert(modelDirectory()), options);
  return await model.embed(texts);
}

const wanted = await vectorsOfConverted();

async function local(files: Parameters<typeof onDisk>[0]): Promise<string> {
  const { path, remove } = await onDisk(files);
  clean.push(remove);
  return path;
}

async function remote(...args: Parameters<typeof onServer>) {
  const server = await onServer(...args);
  clean.push(server.close);
  return server;
}

const forms = {
  'one file': modelDirectory(),
  shards: shardedDirectory(),
  pytorch: asPytorch(modelDirectory()),
  'shards of pytorch': asPytorch(modelDirectory(), true),
};

describe.each(Object.entries(forms))('an encoder’s directory, %s', (name, files) => {
  const format = name.includes('pytorch') ? 'pytorch' : 'safetensors';

  test('opens as a map of files', async () => {
    await using model = await openEncoder(files);
    expect(await model.embed(texts)).toEqual(wanted);
    expect(model.info).toMatchObject({ format, convertedTo: 'embd', config: { hiddenSize: 32 } });
    const code = 'NotFound';
    expect(model.info.warnings).toEqual([expect.objectContaining({ code, path: 'modules.json' })]);
  });

  test('opens as an object of blobs in a folder', async () => {
    const blobs = [...files].map(([path, bytes]) => [`small/${path}`, new Blob([bytes])] as const);
    await using model = await openEncoder(Object.fromEntries(blobs));
    expect(await model.embed(texts)).toEqual(wanted);
  });

  test('opens by the path of the directory', async () => {
    await using model = await openEncoder(await local(files));
    expect(await model.embed(texts)).toEqual(wanted);
  });

  test('opens by an address, and asks for nothing outside of it', async () => {
    const server = await remote(files);
    await using model = await openEncoder(server.url);
    expect(await model.embed(texts)).toEqual(wanted);
    expect(server.asked().filter((path) => !path.startsWith('/models/small/'))).toEqual([]);
    expect(server.asked()).not.toContain('/models/small/');
  });

  test('opens from a server without ranges', async () => {
    const server = await remote(files, { ranges: false });
    await using model = await openEncoder(server.url);
    expect(await model.embed(texts)).toEqual(wanted);
  });
});

describe('an encoder’s directory', () => {
  test('opens by the path of its weights', async () => {
    const folder = await local(modelDirectory());
    await using model = await openEncoder(join(folder, 'model.safetensors'));
    expect(await model.embed(texts)).toEqual(wanted);
    const other = await local(asPytorch(modelDirectory(), true));
    await using pytorch = await openEncoder(join(other, 'pytorch_model-00001-of-00002.bin'));
    expect(await pytorch.embed(texts)).toEqual(wanted);
  });

  test('opens with a map of addresses', async () => {
    const server = await remote(modelDirectory());
    const map = new Map([...modelDirectory().keys()].map((name) => [name, server.url + name]));
    await using model = await openEncoder(map);
    expect(await model.embed(texts)).toEqual(wanted);
  });

  test('is quantized on the way in', async () => {
    await using model = await openEncoder(modelDirectory(), { weights: 'int8' });
    expect(await model.embed(texts)).toEqual(await vectorsOfConverted({ weights: 'int8' }));
    await using floats = await openEncoder(modelDirectory());
    expect(model.weightBytes).toBeLessThan(floats.weightBytes);
  });

  test('reports what was guessed', async () => {
    const warnings: unknown[] = [];
    const onWarning = (warning: unknown) => void warnings.push(warning);
    await using model = await openEncoder(modelDirectory(), { onWarning });
    expect(warnings).toEqual(model.info.warnings);
    expect(warnings).toHaveLength(1);
  });

  test('of another kind is refused', async () => {
    await expect(open(modelDirectory(), { kind: 'generator' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'config.json.model_type',
    });
    await expect(open(modelDirectory(), { kind: 'words' })).rejects.toMatchObject({
      code: 'Unsupported',
    });
  });
});

describe.each([false, true])('a language model’s directory (pytorch: %s)', (isPytorch) => {
  const ids = [256, 72, 105, 33];

  test('opens from everywhere, with the logits of its AMB', async () => {
    const whole = await languageDirectory();
    const files = isPytorch ? asPytorch(whole) : whole;
    await using amb = await openGenerator(languageFile());
    const logits = await amb.logits(ids);
    const server = await remote(files);
    for (const source of [files, await local(files), server.url]) {
      await using model = await openGenerator(source);
      expect(await model.logits(ids)).toEqual(logits);
      expect(model.info.convertedTo).toBe('amb');
    }
  });

  test('runs with a part of its weights in memory', async () => {
    const whole = await languageDirectory();
    const files = isPytorch ? asPytorch(whole) : whole;
    await using amb = await openGenerator(languageFile());
    await using model = await openGenerator(files, { resident: 100_000 });
    expect(model.info.generator.streaming).not.toBeNull();
    expect(await model.logits(ids)).toEqual(await amb.logits(ids));
  });
});

test('a GGUF file of an encoder opens from everywhere, with the vectors of its EMBD', async () => {
  const embd = await convert(modelDirectory());
  const bytes = new Uint8Array(await (await convert(embd, { to: 'gguf' })).arrayBuffer());
  await using wantedModel = await openEncoder(await convert(bytes, { to: 'embd' }));
  const vectors = await wantedModel.embed(texts);
  const server = await remote(new Map([['model.gguf', bytes]]));
  const folder = await local(new Map([['model.gguf', bytes]]));
  const path = join(folder, 'model.gguf');
  for (const source of [bytes, new Blob([bytes]).stream(), path, `${server.url}model.gguf`]) {
    await using model = await openEncoder(source);
    expect(await model.embed(texts)).toEqual(vectors);
    expect(model.info).toMatchObject({ format: 'gguf', convertedTo: 'embd' });
  }
  await using typed = await open(bytes, { kind: 'encoder', weights: 'int8' });
  expect(typed.weightBytes).toBeLessThan(wantedModel.weightBytes);
});

describe('a bad directory', () => {
  const changed = (
    name: string,
    bytes: Uint8Array<ArrayBuffer> | undefined,
    files = modelDirectory(),
  ) => {
    if (bytes) {
      files.set(name, bytes);
    } else {
      files.delete(name);
    }
    return files;
  };
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const shard = 'model-00002-of-00002.safetensors';
  const cut = (name: string, files: Map<string, Uint8Array<ArrayBuffer>>) =>
    files.get(name)?.slice(0, -5);

  const faults = [
    ['no config.json', () => changed('config.json', undefined), 'NotFound', /^config\.json/],
    [
      'no weights',
      () => changed('model.safetensors', undefined),
      'NotFound',
      /^model\.safetensors/,
    ],
    [
      'a model that is not supported',
      () => changed('config.json', json({ model_type: 'longformer' })),
      'Unsupported',
      /^config\.json\.model_type/,
    ],
    [
      'a model that is not supported, without weights',
      () =>
        changed(
          'config.json',
          json({ model_type: 'longformer' }),
          changed('model.safetensors', undefined),
        ),
      'Unsupported',
      /^config\.json\.model_type/,
    ],
    ['no tokenizer', () => changed('vocab.txt', undefined), 'NotFound', /^(tokenizer\.json|vocab)/],
    [
      'a missing shard',
      () => changed(shard, undefined, shardedDirectory()),
      'NotFound',
      RegExp(shard),
    ],
    [
      'a truncated shard',
      () => changed(shard, cut(shard, shardedDirectory()), shardedDirectory()),
      'Truncated',
      RegExp(shard),
    ],
    [
      'a shard of another model',
      () => changed(shard, modelDirectory().get('model.safetensors'), shardedDirectory()),
      'BadValue',
      RegExp(shard),
    ],
    [
      'tensors of wrong shapes',
      () =>
        changed(
          'model.safetensors',
          modelDirectory(1, {
            hidden: 16,
            layers: 2,
            heads: 2,
            intermediate: 64,
            positions: 64,
          }).get('model.safetensors'),
        ),
      'Mismatch',
      /./,
    ],
    [
      'a tokenizer that does not fit',
      () => changed('vocab.txt', new TextEncoder().encode(`${'x\n'.repeat(3)}[UNK]\n`)),
      'NotFound',
      /./,
    ],
  ] as const;

  test.each(faults)('%s is named', async (_, make, code, path) => {
    const files = make();
    await expect(open(files)).rejects.toMatchObject({ code, path: expect.stringMatching(path) });
  });

  test.each(faults)('%s is named before weights are fetched', async (_, make, code, path) => {
    const server = await remote(make());
    const isMissing = String(path).includes('config') || String(path).includes(shard);
    const fails = code === 'NotFound' && isMissing ? 'Http' : code;
    await expect(open(server.url)).rejects.toMatchObject({ code: fails });
    const whole = [...server.served].filter(
      ([name, { asked }]) =>
        /safetensors$/.test(name) && asked.some(({ range }) => range === undefined),
    );
    expect(whole).toEqual([]);
  });

  test('a path that is no directory is named', async () => {
    await expect(open('/no/such/directory/')).rejects.toMatchObject({ code: 'NotFound' });
  });

  test('weights without their directory are refused', async () => {
    const weights = modelDirectory().get('model.safetensors') as Uint8Array;
    await expect(open(weights)).rejects.toMatchObject({ code: 'NotFound', path: 'config.json' });
    const pytorch = asPytorch(modelDirectory()).get('pytorch_model.bin') as Uint8Array;
    await expect(open(pytorch)).rejects.toMatchObject({ code: 'NotFound', path: 'config.json' });
  });

  test('an abort ends the conversion', async () => {
    const stop = new AbortController();
    const opening = open(modelDirectory(), {
      signal: stop.signal,
      onProgress: ({ phase }) => phase === 'convert' && stop.abort(),
    });
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
  });
});
