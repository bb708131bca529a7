// LoRA adapters, merged while a model is opened: every form of source, for encoders and language models.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ambryCli } from '../support/cli/shared-cli.ts';
import {
  type Files,
  languageDirectory,
  onDisk,
  onServer,
} from '../support/directories/model-directories.ts';
import { type Changed, mergedDirectory, peftAdapter } from '../support/files/adapter-files.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { ambry } from '../support/package.ts';
import { startHub } from '../support/servers/server.ts';

const { open, convert } = ambry;
type Options = NonNullable<Parameters<typeof open>[1]>;

const changed: readonly Changed[] = [
  { module: 'model.layers.0.self_attn.q_proj', rows: 64, columns: 64 },
  { module: 'model.layers.1.mlp.up_proj', rows: 64, columns: 64 },
];
const prompt = [256, 72, 105];
const adapter = peftAdapter(changed);
let base: Map<string, Uint8Array<ArrayBuffer>>;
let expected: Float32Array;

async function logitsOf(
  source: Files | Blob | string,
  options: Options = {},
): Promise<Float32Array> {
  await using model = await open(source, { ...options, kind: 'generator' });
  return await model.logits(prompt);
}

beforeAll(async () => {
  base = await languageDirectory();
  expected = await logitsOf(mergedDirectory(base, changed));
});

describe('a language model', () => {
  test('is the one with the merged weights', async () => {
    const without = await logitsOf(base);
    expect(without).not.toEqual(expected);
    expect(await logitsOf(base, { adapter })).toEqual(expected);
  });

  test('takes adapters from wherever models come', async () => {
    const disk = await onDisk(adapter);
    expect(await logitsOf(base, { adapter: { path: disk.path } })).toEqual(expected);
    const file = { path: join(disk.path, 'adapter_model.safetensors') };
    expect(await logitsOf(base, { adapter: file })).toEqual(expected);
    await disk.remove();
    const server = await onServer(adapter);
    expect(await logitsOf(base, { adapter: server.url })).toEqual(expected);
    expect(server.asked()).not.toContain('/models/small/README.md');
    server.close();
    const hub = await startHub();
    hub.add('owner/adapter', adapter);
    const options = { hub: { endpoint: hub.endpoint }, adapter: 'hf:owner/adapter' };
    expect(await logitsOf(base, options)).toEqual(expected);
  });

  test('sums several adapters by their weights', async () => {
    const half = await logitsOf(mergedDirectory(base, changed, 0.5));
    expect(await logitsOf(base, { adapter: { source: adapter, weight: 0.5 } })).toEqual(half);
    const both = [
      { source: adapter, weight: 2 },
      { source: adapter, weight: -2 },
    ];
    const none = await logitsOf(base, { adapter: both });
    const plain = await logitsOf(base);
    for (const [i, logit] of none.entries()) {
      expect(logit).toBeCloseTo(Number(plain[i]), 4);
    }
  });

  test('may be a file of AMB or GGUF, and be quantized', async () => {
    const amb = (await convert(base, { to: 'amb' })) as Blob;
    expect(await logitsOf(amb, { adapter })).toEqual(expected);
    const quantized = await logitsOf(base, { adapter, quantize: 'int8' });
    const merged = await logitsOf(mergedDirectory(base, changed), { quantize: 'int8' });
    expect(quantized).toEqual(merged);
  });

  test('is converted with its adapters', async () => {
    const file = (await convert(base, { to: 'amb', adapter })) as Blob;
    expect(await logitsOf(file)).toEqual(expected);
  });

  test('answers on the command line with its adapters', async () => {
    const [model, own] = await Promise.all([onDisk(base), onDisk(adapter)]);
    const target = join(model.path, 'merged.amb');
    const made = await ambryCli(['convert', model.path, target, '--adapter', own.path]);
    expect(made.err).toContain('tokenizer');
    expect(made.code).toBe(0);
    expect(await logitsOf({ path: target } as never)).toEqual(expected);
    const odd = ['--adapter', own.path, '--adapter-weight', '1', '--adapter-weight', '2'];
    const refused = await ambryCli(['convert', model.path, target, ...odd]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('--adapter-weight is given 2 times, and --adapter 1 times.');
    await Promise.all([model.remove(), own.remove()]);
  });
});

describe('an encoder', () => {
  const own: readonly Changed[] = [
    { module: 'encoder.layer.0.attention.self.query', rows: 32, columns: 32 },
  ];

  async function vectorOf(source: Files, options: Options = {}): Promise<Float32Array> {
    await using model = await open(source, { ...options, kind: 'encoder' });
    return await model.embed('the cat sat');
  }

  test('is the one with the merged weights', async () => {
    const files = modelDirectory();
    const merged = await vectorOf(mergedDirectory(files, own));
    expect(await vectorOf(files, { adapter: peftAdapter(own) })).toEqual(merged);
    expect(await vectorOf(files)).not.toEqual(merged);
  });
});

describe('an adapter that does not fit', () => {
  const refusal = (given: NonNullable<Options['adapter']>) =>
    open(base, { kind: 'generator', adapter: given }).then(
      () => undefined,
      (error: unknown) => error,
    );

  test('is refused by name and byte', async () => {
    const wide = peftAdapter([{ ...(changed[0] as Changed), columns: 65 }]);
    expect(await refusal(wide)).toMatchObject({
      code: 'Mismatch',
      path: 'adapter[0]/adapter_model.safetensors: base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight',
    });
    expect(await refusal(peftAdapter(changed, { use_dora: true }))).toMatchObject({
      code: 'Unsupported',
      path: 'adapter[0]/adapter_config.json.use_dora',
      byteOffset: expect.any(Number),
    });
  });

  test('is refused without its files, or with a weight that is none', async () => {
    const bare = new Map([...adapter].filter(([name]) => !name.endsWith('.safetensors')));
    expect(await refusal(bare)).toMatchObject({
      code: 'NotFound',
      path: 'options.adapter[0]: adapter_model.safetensors',
    });
    expect(await refusal({ source: adapter, weight: Number.NaN })).toMatchObject({
      code: 'BadValue',
      path: 'options.adapter[0].weight',
    });
    expect(await refusal(5 as never)).toMatchObject({ code: 'BadValue', path: 'options.adapter' });
  });
});

test('a base that is far is judged with its adapter before it is fetched', async () => {
  const wide = peftAdapter([{ ...(changed[0] as Changed), columns: 65 }]);
  const server = await onServer(base);
  const error = await open(server.url, { adapter: wide }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'Mismatch' });
  const sent = server.served.get('model.safetensors')?.sent() ?? 0;
  expect(sent).toBeLessThan(base.get('model.safetensors')?.length ?? 0);
  server.close();
});
