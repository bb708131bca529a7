// Directories with the files that published repositories have beside a model's own.
import { afterAll, describe, expect, test } from 'vitest';
import { headDirectory } from '../support/directories/head-directories.ts';
import { type Files, onServer } from '../support/directories/model-directories.ts';
import { decoderDirectory } from '../support/directories/tokenizer-directories.ts';
import { modelDirectory, shardedDirectory } from '../support/fixtures.ts';
import { ambry } from '../support/package.ts';
import { startHub } from '../support/servers/server.ts';

const { open, validate, runReport } = ambry;
const encode = (text: string) => new TextEncoder().encode(text);
const text = 'the cat sat';
const index = 'model.safetensors.index.json';

async function vectorOf(files: Files | string, more: object = {}): Promise<Float32Array> {
  await using model = await open(files, { kind: 'encoder', ...more });
  return await model.embed(text);
}
const expected = await vectorOf(modelDirectory());

/** With the whole weights a second time, under names that nobody reads. */
function withConsolidated(): Map<string, Uint8Array<ArrayBuffer>> {
  const whole = modelDirectory().get('model.safetensors') as Uint8Array<ArrayBuffer>;
  return new Map([['consolidated.safetensors', whole], ...shardedDirectory()]);
}

describe('consolidated.safetensors beside the shards', () => {
  test('is not read, also from a server', async () => {
    expect(await vectorOf(withConsolidated())).toEqual(expected);
    const server = await onServer(withConsolidated());
    expect(await vectorOf(server.url)).toEqual(expected);
    expect(server.asked().filter((path) => path.includes('consolidated'))).toEqual([]);
    server.close();
  });

  test('is not fetched from the hub', async () => {
    const hub = await startHub();
    hub.add('owner/mistral', withConsolidated());
    const options = { hub: { endpoint: hub.endpoint } };
    expect(await vectorOf('hf:owner/mistral', options)).toEqual(expected);
    expect(hub.paths.filter((path) => path.includes('consolidated'))).toEqual([]);
  });
});

describe('an index', () => {
  test('that names a missing file says which', async () => {
    const files = withConsolidated();
    const missing = [...files.keys()].filter((name) => /-of-/.test(name));
    for (const name of missing) {
      files.delete(name);
      const report = await runReport(files);
      expect(report.obstacle).toMatchObject({ code: 'NotFound', path: missing[0] });
    }
  });

  test.each([
    ['{', index],
    ['{"weight_map": []}', `${index}.weight_map`],
    ['{"weight_map": {"a": "../a.safetensors"}}', `${index}.weight_map.a`],
    ['{"weight_map": {"a": ".."}}', `${index}.weight_map.a`],
    ['{"weight_map": {}}', `${index}.weight_map`],
    ['version https://git-lfs.github.com/spec/v1\n', index],
  ])('%s is refused', async (content, path) => {
    const files = withConsolidated().set(index, encode(content));
    await expect(open(files)).rejects.toMatchObject({ path });
  });

  test('with paths asks for nothing outside of a directory at an address', async () => {
    const map = {
      a: '../../secret',
      b: '..',
      c: 'x/y.safetensors',
      d: 'model-00001-of-00002.safetensors',
    };
    const files = shardedDirectory().set(index, encode(JSON.stringify({ weight_map: map })));
    const server = await onServer(files);
    await expect(open(server.url)).rejects.toMatchObject({ path: `${index}.weight_map.a` });
    expect(server.asked().filter((path) => !path.startsWith('/models/small/'))).toEqual([]);
    server.close();
  });
});

describe('a Git LFS pointer', () => {
  const pointer = encode('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n');
  const whole = modelDirectory();
  test.each([...whole.keys()])('in the place of %s is named', async (path) => {
    const files = new Map(whole).set(path, pointer);
    await expect(open(files)).rejects.toMatchObject({
      code: 'BadMagic',
      path,
      message: expect.stringContaining('git lfs pull'),
    });
  });

  test('in the place of a shard is named', async () => {
    const name = 'model-00002-of-00002.safetensors';
    const files = shardedDirectory().set(name, pointer);
    await expect(open(files)).rejects.toMatchObject({ path: name });
  });
});

test('other files are named in one warning, if they may matter', async () => {
  const files = new Map(modelDirectory());
  for (const name of ['README.md', '.gitattributes', 'onnx/model.onnx', 'tf_model.h5', 'own.dat']) {
    files.set(name, new Uint8Array(1));
  }
  const { obstacle, warnings } = await runReport(files);
  expect(obstacle).toBe(null);
  expect(warnings.filter(({ message }) => message.includes('not read'))).toEqual([
    {
      code: 'Unsupported',
      path: 'own.dat',
      message: 'These files of the directory are not read: own.dat.',
    },
  ]);
});

describe('code of the model’s own', () => {
  const config = {
    ...{ model_type: 'llama', vocab_size: 259, hidden_size: 4, num_hidden_layers: 1 },
    ...{ num_attention_heads: 1, intermediate_size: 4, max_position_embeddings: 64 },
    ...{ tie_word_embeddings: true, auto_map: { AutoModel: 'modeling_own.Own' } },
  };
  const directory = (more: object) =>
    new Map(decoderDirectory(259, {})).set(
      'config.json',
      encode(JSON.stringify({ ...config, ...more })),
    );

  test('of a language model is named in a warning, and in the error of other weights', async () => {
    const { kind, obstacle, warnings } = await runReport(directory({}));
    expect([kind, obstacle]).toEqual(['generator', null]);
    expect(warnings.find(({ path }) => path === 'config.json.auto_map')?.message).toContain(
      'modeling_own.Own, is not run',
    );
    const other = await runReport(directory({ num_hidden_layers: 2 }));
    expect(other.obstacle?.message).toContain('modeling_own.Own, and does not fit here');
  });

  test('is not named for weights that are missing', async () => {
    const files = directory({});
    files.delete('model.safetensors');
    expect((await runReport(files)).obstacle).toMatchObject({ path: 'model.safetensors' });
  });
});

test('a language model that was made for another use says so, also at an address', async () => {
  const readme = encode('---\npipeline_tag: text-ranking\n---\n');
  const files = new Map(decoderDirectory(259, {})).set('README.md', readme);
  const server = await onServer(files);
  for (const source of [files, server.url]) {
    const { kind, warnings } = await runReport(source);
    expect(kind).toBe('generator');
    expect(warnings.map(({ path }) => path)).toContain('README.md.pipeline_tag');
  }
  server.close();
});

test('an adapter is refused, by path of its model, also at an address', async () => {
  const files = new Map([
    ['adapter_config.json', encode('{"base_model_name_or_path": "owner/base"}')],
    ['adapter_model.safetensors', new Uint8Array(9)],
  ]);
  const refused = { code: 'Unsupported', message: expect.stringContaining('of owner/base') };
  await expect(open(files)).rejects.toMatchObject(refused);
  const server = await onServer(files);
  await expect(open(server.url)).rejects.toMatchObject(refused);
  server.close();
});

test('the activation of a cross-encoder counts from the file of sentence-transformers 5.4', async () => {
  const score = async (own?: string) => {
    const files = headDirectory();
    if (own !== undefined) {
      files.set('config_sentence_transformers.json', encode(own));
    }
    await using model = await open(files, { kind: 'reranker' });
    return (await model.score([['a cat', text]]))[0] as number;
  };
  const logit = await score('{"activation_fn": "torch.nn.modules.linear.Identity"}');
  expect(await score()).toBeCloseTo(1 / (1 + Math.exp(-logit)), 6);
  await expect(score('{"activation_fn": "mine.Own"}')).rejects.toThrow(/"mine\.Own"/);
});

describe('validate', () => {
  const server = onServer(modelDirectory());
  afterAll(async () => (await server).close());

  test('checks a directory, also at an address', async () => {
    for (const source of [modelDirectory(), (await server).url, shardedDirectory()]) {
      const report = await validate(source, { checksums: true });
      expect(report).toMatchObject({ valid: true, format: 'safetensors', errors: [] });
      expect(report.depth).toBe('checksums');
    }
    const { statistics } = await validate(shardedDirectory(), { values: true });
    const whole = await validate(modelDirectory(), { values: true });
    expect(statistics).toHaveLength(whole.statistics?.length ?? 0);
  });

  test('lists what is wrong with the files, and with their agreement', async () => {
    const files = modelDirectory();
    const weights = (files.get('model.safetensors') as Uint8Array<ArrayBuffer>).slice();
    new DataView(weights.buffer).setFloat32(weights.length - 4, Number.NaN, true);
    files.set('model.safetensors', weights);
    const values = await validate(files, { values: true });
    expect([...values.errors, ...values.warnings].map(({ path }) => path)).toContainEqual(
      expect.stringMatching(/^model\.safetensors: /),
    );
    files.set('config.json', encode('{"model_type": "longformer"}'));
    const { valid, errors } = await validate(files);
    expect(valid).toBe(false);
    expect(errors.map(({ path }) => path)).toContain('config.json.model_type');
    files.delete('model.safetensors');
    files.set('config.json', modelDirectory().get('config.json') as Uint8Array<ArrayBuffer>);
    expect(await validate(files)).toMatchObject({
      valid: false,
      errors: [{ code: 'NotFound', path: 'model.safetensors' }],
    });
  });
});
