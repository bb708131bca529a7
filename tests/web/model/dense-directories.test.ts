// Directories with Dense modules after the pooling open from everywhere, with the vectors that the modules make.
import { afterAll, describe, expect, test } from 'vitest';
import { denseVector, withDense } from '../support/directories/dense-modules.ts';
import {
  asPytorch,
  type Files,
  onDisk,
  onServer,
} from '../support/directories/model-directories.ts';
import { modelDirectory, shardedDirectory } from '../support/fixtures.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const { convert, open, validate } = ambry;
const texts = ['the cat sat on the mat', 'a dog ran home !'];
const clean: (() => unknown)[] = [];
afterAll(async () => {
  for (const each of clean) {
    await each();
  }
});

async function local(files: Files): Promise<string> {
  const { path, remove } = await onDisk(files);
  clean.push(remove);
  return path;
}

async function remote(files: Files) {
  const server = await onServer(files);
  clean.push(server.close);
  return server;
}

/** By the vectors of the model without the modules. */
async function wantedVectors(): Promise<number[]> {
  await using plain = await openEncoder(modelDirectory());
  const pooled = await plain.embed(texts, { normalize: false });
  return pooled.flatMap((vector) => denseVector(vector));
}

const wanted = await wantedVectors();

function expectWanted(vectors: readonly Float32Array[]): void {
  const values = vectors.flatMap((vector) => [...vector]);
  expect(values).toHaveLength(wanted.length);
  for (const [i, value] of wanted.entries()) {
    expect(values[i]).toBeCloseTo(value, 5);
  }
}

const forms: Readonly<Record<string, Files>> = {
  'one file': withDense(modelDirectory()),
  shards: withDense(shardedDirectory()),
  pytorch: withDense(asPytorch(modelDirectory()), 'pytorch'),
  'modules of pytorch': withDense(modelDirectory(), 'pytorch'),
};

describe.each(Object.entries(forms))('a directory with Dense, %s', (_, files) => {
  test('opens as a map of files', async () => {
    await using model = await openEncoder(files);
    expect([model.dim, model.tokenDim]).toEqual([8, 32]);
    expectWanted(await model.embed(texts));
  });

  test('opens as an object of blobs in a folder', async () => {
    const blobs = [...files].map(([path, bytes]) => [`small/${path}`, new Blob([bytes])] as const);
    await using model = await openEncoder(Object.fromEntries(blobs));
    expectWanted(await model.embed(texts));
  });

  test('opens by its path', async () => {
    await using model = await openEncoder(await local(files));
    expectWanted(await model.embed(texts));
  });

  test('opens by its address, and asks for nothing outside of it', async () => {
    const server = await remote(files);
    await using model = await openEncoder(server.url);
    expectWanted(await model.embed(texts));
    expect(server.asked().filter((path) => !path.startsWith('/models/small/'))).toEqual([]);
  });
});

describe('an encoder with dense layers', () => {
  test('is converted to a file that is valid', async () => {
    const blob = await convert(withDense(modelDirectory()));
    const file = new Uint8Array(await blob.arrayBuffer());
    const report = await validate(file, { strict: true, values: true });
    expect(report).toMatchObject({ valid: true, errors: [], warnings: [] });
    await using model = await openEncoder(file);
    expectWanted(await model.embed(texts));
    expect(model.info.config).toMatchObject({ hiddenSize: 32, embeddingDim: 8 });
    await expect(convert(file, { to: 'gguf' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'metadata.dense_activations',
    });
  });

  test('cuts its vectors, and leaves those of tokens', async () => {
    await using model = await openEncoder(withDense(modelDirectory()));
    const [whole, cut] = [await model.embed('the cat'), await model.embed('the cat', { dim: 3 })];
    const length = Math.hypot(...whole.subarray(0, 3));
    expect([...cut]).toEqual([...whole.subarray(0, 3)].map((x) => expect.closeTo(x / length, 5)));
    await expect(model.embed('the cat', { dim: 9 })).rejects.toMatchObject({ path: 'options.dim' });
    const [tokens] = await model.embed(['the cat'], { pooling: 'none' });
    expect(tokens).toHaveLength(4 * 32);
  });

  test('keeps dense layers in f32 as int8', async () => {
    await using model = await openEncoder(withDense(modelDirectory()), { weights: 'int8' });
    const vectors = await model.embed(texts, { as: 'matrix' });
    for (const [i, value] of wanted.entries()) {
      expect(Math.abs((vectors[i] ?? 0) - value)).toBeLessThan(0.1);
    }
  });

  test('cannot be explained by its tokens', async () => {
    await using model = await openEncoder(withDense(modelDirectory()));
    await expect(model.explain('a dog', 'the cat')).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'config.dense',
    });
  });
});

/** The directory with another file at this path, or without one. */
function changed(name: string, content?: unknown): Map<string, Uint8Array<ArrayBuffer>> {
  const files = withDense(modelDirectory());
  if (content === undefined) {
    files.delete(name);
  } else {
    files.set(name, new TextEncoder().encode(JSON.stringify(content)));
  }
  return files;
}

const swish = {
  in_features: 32,
  out_features: 16,
  activation_function: 'torch.nn.modules.activation.Softplus',
};
const faults = [
  ['weights', '3_Dense/model.safetensors', undefined, 'NotFound', '3_Dense/model.safetensors'],
  ['configuration', '2_Dense/config.json', undefined, 'NotFound', '2_Dense/config.json'],
  [
    'activation',
    '2_Dense/config.json',
    swish,
    'Unsupported',
    '2_Dense/config.json.activation_function',
  ],
  [
    'module',
    'modules.json',
    [
      { path: '', type: 'x.Transformer' },
      { path: '1_Pooling', type: 'x.WordWeights' },
    ],
    'Unsupported',
    'modules.json[1].type',
  ],
] as const;

describe.each(faults)('a missing or unknown %s', (_, name, content, code, path) => {
  test('is named', async () => {
    await expect(open(changed(name, content))).rejects.toMatchObject({ code, path });
    await expect(open(await local(changed(name, content)))).rejects.toMatchObject({ code, path });
  });

  test('is named before weights are fetched', async () => {
    const server = await remote(changed(name, content));
    await expect(open(server.url)).rejects.toMatchObject({ code, path });
    const whole = [...server.served].filter(
      ([file, { asked }]) =>
        file.endsWith('safetensors') && asked.some(({ range }) => range === undefined),
    );
    expect(whole).toEqual([]);
  });
});

test('weights of modules that are not listed are not fetched', async () => {
  const files = withDense(modelDirectory());
  const other = '2_Dense_64/model.safetensors';
  files.set(other, new Uint8Array(100));
  const server = await remote(files);
  const map = new Map([...files.keys()].map((name) => [name, server.url + name]));
  for (const source of [server.url, map]) {
    await using model = await openEncoder(source);
    expectWanted(await model.embed(texts));
  }
  expect(server.served.get(other)?.asked).toEqual([]);
});
