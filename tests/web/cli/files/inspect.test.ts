// `ambry inspect`: exit codes, JSON output, and text output.
import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ambryCli as startCli } from '../../support/cli/cli.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { layersOnnx } from '../../support/files/onnx-file.ts';
import { modelDirectory } from '../../support/fixtures.ts';
import { startServer } from '../../support/servers/server.ts';

const { at, model, file } = await cliFolder();
const server = await startServer(file);

describe('inspect', () => {
  test('--json has the documented fields', async () => {
    const { code, json } = await ambryCli(['inspect', model, '--json']);
    expect(code).toBe(0);
    expect(json()).toMatchObject([
      {
        file: model,
        format: 'embd',
        version: expect.any(String),
        bytes: file.length,
        metadata: expect.any(Object),
        config: { hiddenSize: 32 },
        tokenizer: { type: 'wordpiece', size: expect.any(Number), special: { cls: 2, sep: 3 } },
        tensors: expect.arrayContaining([
          {
            name: expect.any(String),
            dtype: 'f32',
            shape: expect.any(Array),
            offset: expect.any(Number),
            bytes: expect.any(Number),
          },
        ]),
      },
    ]);
  });

  test('prints a summary and a table of tensors', async () => {
    const { code, out, err } = await ambryCli(['inspect', model, '--tensors']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/format +embd/);
    expect(out).toMatch(/embeddings\.LayerNorm\.weight +f32 +32 /);
  });

  test('prints the inputs and the operators of a graph in words', async () => {
    await writeFile(at('layers.onnx'), layersOnnx(2));
    const { code, out, err } = await ambryCli(['inspect', at('layers.onnx')]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/inputs: x float \[batch, 2\]\n/);
    expect(out).toMatch(/operators: MatMul 2, Softmax 2\n/);
    expect(out).toMatch(/opsets: 17\n/);
    expect(out).toMatch(/functions: none\n/);
  });

  test('reads standard input and a URL', async () => {
    const piped = await startCli(['inspect', '-', '--json'], file);
    expect(piped.json()).toMatchObject([{ format: 'embd', bytes: file.length }]);
    const fetched = await ambryCli(['inspect', server.url('ranges'), '--json']);
    expect(fetched.json()).toMatchObject([{ format: 'embd', bytes: file.length }]);
  });

  test('an invalid file fails with 1 and names the byte', async () => {
    await writeFile(at('short.weights'), file.slice(0, 500));
    const { code, json } = await ambryCli(['inspect', at('short.weights'), '--json']);
    expect(code).toBe(1);
    const [{ error }] = json() as [{ error: object }];
    expect(error).toMatchObject({ code: expect.any(String), byteOffset: expect.any(Number) });
    const plain = await ambryCli(['inspect', at('short.weights')]);
    expect([plain.code, plain.out]).toEqual([1, '']);
    expect(plain.err).toMatch(/at byte \d+/);
  });

  test('--stats reads every tensor, also from a pipe', async () => {
    const { code, out } = await ambryCli(['inspect', model, '--stats']);
    expect(code).toBe(0);
    expect(out).toMatch(/tensor +min +max +mean +std +zeros +zero rows +denormals +NaN, ∞/);
    expect(out).toMatch(/memory +about .* to run, .* as int8/);
    const [piped] = (await startCli(['inspect', '-', '--stats', '--json'], file)).json();
    const { tensors, statistics } = piped as { tensors: unknown[]; statistics: unknown[] };
    expect(statistics).toHaveLength(tensors.length);
  });

  test('says how a model runs', async () => {
    const [embd] = (await ambryCli(['inspect', model, '--json'])).json();
    expect(embd).toMatchObject({ run: { kind: 'encoder', converts: false, obstacle: null } });
    const plain = await ambryCli(['inspect', model]);
    expect(plain.out).toMatch(/runs +as a sentence encoder, as it is\n/);
    expect(plain.out).not.toMatch(/obstacle/);
  });

  test('takes a directory', async () => {
    const { code, out, err } = await ambryCli(['inspect', at('tiny')]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/files +model\.safetensors, .* kB\n/);
    expect(out).toMatch(/runs +as a sentence encoder, after conversion to EMBD\n/);
    expect(out).toMatch(/memory +about .* to run, .* as int8\n/);
    const [report] = (await ambryCli(['inspect', at('tiny'), '--json'])).json();
    expect(Object.keys(report as object)).toEqual(['file', 'run']);
    await mkdir(at('empty'));
    const empty = await ambryCli(['inspect', at('empty')]);
    expect([empty.code, empty.out]).toEqual([1, '']);
    expect(empty.err).toContain('model.safetensors');
    const stats = await ambryCli(['inspect', at('tiny'), '--stats']);
    expect(stats.code).toBe(2);
    expect(stats.err).toContain('--stats');
  });

  test('takes word vectors in text, also from a pipe', async () => {
    const vectors = new TextEncoder().encode('2 3\neast 1 0 0\nnorth 0 1 0\n');
    await writeFile(at('compass.vec'), vectors);
    for (const [name, input] of [[at('compass.vec')], ['-', vectors]] as const) {
      const { code, out } = await startCli(['inspect', name], input);
      expect(code).toBe(0);
      expect(out).toMatch(/runs +as word vectors, after conversion to finalfusion\n/);
    }
  });

  test('names the obstacle', async () => {
    await mkdir(at('alone'));
    const weights = modelDirectory().get('model.safetensors') as Uint8Array;
    await writeFile(at('alone/model.safetensors'), weights);
    const { code, out } = await ambryCli(['inspect', at('alone/model.safetensors')]);
    expect(code).toBe(0);
    expect(out).toMatch(/format +safetensors/);
    expect(out).toMatch(/runs +no\n +obstacle +NotFound config\.json: .*Open their directory/);
    expect(out).not.toMatch(/memory/);
  });
});
